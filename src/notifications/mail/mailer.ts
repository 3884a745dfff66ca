import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { MailerService, type ISendMailOptions } from '@nestjs-modules/mailer';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { privateFolder } from '../../common/private-folder.js';
import { Config } from '../../config/config.js';
import { type MailOutcome, refusedMail, sent, type SmtpError } from './mail-outcome.js';
import { SEND_TIMEOUT_MS } from './mail-transport.js';

/** Result of the transports: the server's answer, or the mail itself. */
interface SentInfo {
  readonly response?: string;
  readonly message?: Buffer;
}

/** Sends mails to the server, or writes them to a folder without one. */
@Injectable()
export class Mailer implements OnApplicationBootstrap {
  constructor(
    private readonly mailer: MailerService,
    private readonly config: Config,
  ) {}

  /** Restricts the folder to this user, since mails contain sign-in links. */
  async onApplicationBootstrap(): Promise<void> {
    const { folder, smtpUrl } = this.config.mail;
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
    if (smtpUrl === undefined && isThere) await privateFolder(folder, { followLinks: true });
  }

  /** @param id id of the delivery, used as file name */
  async send(id: string, message: ISendMailOptions): Promise<MailOutcome> {
    const limited = { ...message, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) };
    try {
      const info = (await this.mailer.sendMail(limited)) as SentInfo;
      if (info.message) await this.file(id, info.message);
      return sent(info.response);
    } catch (error) {
      return refusedMail(error as SmtpError);
    }
  }

  /** Writes atomically, so that watchers of the folder never see a partial mail. */
  private async file(id: string, content: Buffer): Promise<void> {
    const { folder } = this.config.mail;
    await privateFolder(folder, { followLinks: true });
    const unfinished = path.join(folder, `.${id}.${randomUUID()}`);
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
      await file.close();
      await rename(unfinished, path.join(folder, `${id}.eml`));
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(unfinished, { force: true });
      throw error;
    }
  }
}
