import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Folder to which the service writes its mails while no mail server is configured. */
export class Mailbox {
  private readonly opened = new Set<string>();

  constructor(private readonly folder: string) {}

  /** Text of an unread mail. The service creates the folder with its first mail. */
  async open(): Promise<string | undefined> {
    const files = await readdir(this.folder).catch(() => []);
    const file = files.find((name) => name.endsWith('.eml') && !this.opened.has(name));
    if (file === undefined) return undefined;
    this.opened.add(file);
    return mailTextOf(await readFile(path.join(this.folder, file), 'utf8'));
  }
}

/** Text part of a mail of this service. Not a general mail parser. */
export function mailTextOf(mail: string): string {
  const boundary = /boundary="([^"]+)"/i.exec(mail)?.[1];
  const part = mail
    .split(`--${boundary}`)
    .find((each) => /^\s*content-type: text\/plain/i.test(each));
  const [head = '', ...body] = part?.split('\r\n\r\n') ?? [];
  return decode(body.join('\r\n\r\n'), /encoding: (\S+)/i.exec(head)?.[1])
    .replaceAll('\r\n', '\n')
    .trim();
}

function decode(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  return body
    .replaceAll('=\r\n', '')
    .replace(/(?:=[\dA-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('=', ''), 'hex').toString(),
    );
}
