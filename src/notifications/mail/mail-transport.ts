import { isIP } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Transport } from 'nodemailer';
import SMTPPool from 'nodemailer/lib/smtp-pool';
import StreamTransport from 'nodemailer/lib/stream-transport';
import { Config } from '../../config/config.js';

/** Concurrent mails to merchants. */
export const SLOTS = 8;
/** Separate connections for system mails, so that they never wait for merchant mails. */
export const SYSTEM_MAIL_SLOTS = 2;

/** Milliseconds for DNS, connection, greeting, and later silence. */
const DNS_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;
/** Maximum milliseconds per mail in total. */
export const SEND_TIMEOUT_MS = 30_000;

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));

/** Local servers rarely have a trusted certificate, and local connections cannot be intercepted. */
const encryption = (host: string) =>
  isLoopback(host) ? { ignoreTLS: true } : { requireTLS: true };

/** Without a server, renders the mail to bytes. */
const transportOf = (smtpUrl: string | undefined): SMTPPool | StreamTransport =>
  smtpUrl === undefined
    ? new StreamTransport({ buffer: true, newline: 'windows' })
    : new SMTPPool({
        url: smtpUrl,
        pool: true,
        maxConnections: SLOTS + SYSTEM_MAIL_SLOTS,
        // The database tables schedule retries.
        maxRequeues: 0,
        ...encryption(new URL(smtpUrl).hostname),
        dnsTimeout: DNS_TIMEOUT_MS,
        connectionTimeout: CONNECT_TIMEOUT_MS,
        greetingTimeout: GREETING_TIMEOUT_MS,
        socketTimeout: SILENCE_TIMEOUT_MS,
      });

/**
 * Mail transport. Has no `close`, because the mailer would call it while mails are in progress: it closes itself when
 * idle.
 */
@Injectable()
export class MailTransport implements Transport, OnApplicationShutdown {
  readonly name = 'mail';
  readonly version = '1';
  readonly send: Transport['send'];
  private readonly transport: SMTPPool | StreamTransport;

  constructor(config: Config) {
    this.transport = transportOf(config.mail.smtpUrl);
    this.send = (mail, done) => this.transport.send(mail as never, done);
  }

  onApplicationShutdown(): void {
    if (this.transport instanceof SMTPPool) this.transport.close();
  }
}
