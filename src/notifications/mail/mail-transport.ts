import { isIP } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Transport } from 'nodemailer';
import SMTPPool from 'nodemailer/lib/smtp-pool';
import StreamTransport from 'nodemailer/lib/stream-transport';
import { Config } from '../../config/config.js';

/** Mails to merchants that are sent at once. */
export const SLOTS = 8;
/** Mails to people who sign in are sent on connections beside theirs: they wait for no order. */
export const SYSTEM_MAIL_SLOTS = 2;

/** Milliseconds to find the server, to reach it, until it greets, and of its silence after that. */
const DNS_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;
/** Milliseconds for one mail in all, for a server that is never silent for long. */
export const SEND_TIMEOUT_MS = 30_000;

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));

/** A server on this machine rarely has a certificate that anybody signed, and nobody listens there. */
const encryption = (host: string) =>
  isLoopback(host) ? { ignoreTLS: true } : { requireTLS: true };

/** Without a server, the mail comes back as the bytes that would have been sent. */
const transportOf = (smtpUrl: string | undefined): SMTPPool | StreamTransport =>
  smtpUrl === undefined
    ? new StreamTransport({ buffer: true, newline: 'windows' })
    : new SMTPPool({
        url: smtpUrl,
        pool: true,
        maxConnections: SLOTS + SYSTEM_MAIL_SLOTS,
        // Whether to try again is written down in the tables and not decided here.
        maxRequeues: 0,
        ...encryption(new URL(smtpUrl).hostname),
        dnsTimeout: DNS_TIMEOUT_MS,
        connectionTimeout: CONNECT_TIMEOUT_MS,
        greetingTimeout: GREETING_TIMEOUT_MS,
        socketTimeout: SILENCE_TIMEOUT_MS,
      });

/**
 * The way out for mails. It has no `close`, which the mailer would call while mails are still under
 * way: it closes itself once nothing is.
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
