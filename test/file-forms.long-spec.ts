import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, TestApp } from './support/app.js';
import type { FormBrowser } from './support/browser-form.js';
import { person, signedIn, withTotp } from './support/people.js';
import { Program, removeFolder, residentMegabytes, temporaryFolder } from './support/program.js';
import { sendRaw } from './support/raw.js';

const PATH = '/portal/platform/bank/test/uploads';
const FILE = '--cut\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
const END = '\r\n--cut--\r\n';

const field = (name: string, value: string): string =>
  `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const head = (length: number, ...headers: string[]): string =>
  [
    `POST ${PATH} HTTP/1.1`,
    'Host: x',
    'Content-Type: multipart/form-data; boundary=cut',
    `Content-Length: ${length}`,
    ...headers,
    '',
    '',
  ].join('\r\n');

const whole = (body: string, ...headers: string[]): string =>
  head(Buffer.byteLength(body), ...headers) + body;

/** A form whose sender never comes to its end. */
class EndlessForm {
  heard = '';
  readonly end: Promise<unknown>;
  private readonly began = performance.now();

  private constructor(readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => void (this.heard += text));
    socket.on('error', () => undefined);
    // `once` of node:events would reject at an error, such as a write after the server has closed.
    this.end = new Promise((resolve) => socket.once('close', resolve));
  }

  static async send(url: string, bytes: string): Promise<EndlessForm> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const form = new EndlessForm(socket);
    await once(socket, 'connect');
    socket.write(bytes);
    return form;
  }

  /** A byte a second, until the connection is closed. @returns the seconds until then */
  async drip(secondsMax: number): Promise<number> {
    const drops = setInterval(() => this.socket.write('y'), 1_000);
    await Promise.race([this.end, sleep(secondsMax * 1_000, undefined, { ref: false })]);
    clearInterval(drops);
    const seconds = (performance.now() - this.began) / 1_000;
    return this.socket.destroyed ? seconds : Infinity;
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.heard)?.[1] ?? 0);
  }
}

describe('the form with a file', () => {
  let app: TestApp;
  let operator: FormBrowser;
  let cookie: string;
  let csrf: string;

  beforeAll(async () => {
    app = await TestApp.start({ env: { RATE_LIMITS: 'on' } });
    operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    cookie = `Cookie: portal=${operator.cookie()!}`;
    csrf = /name="csrf" value="([^"]+)"/.exec((await operator.get(PATH)).html)![1]!;
  });
  afterAll(() => app.stop());

  const file = (): string => `${FILE}not a statement${END}`;
  const close = 'Connection: close';

  it('takes a file behind the token, and none before it', async () => {
    const right = await sendRaw(app.url, whole(field('csrf', csrf) + file(), cookie, close));
    expect([right.status, right.headers['location']]).toEqual([303, expect.stringMatching(PATH)]);
    const token = field('csrf', csrf);
    const late = FILE + 'not a statement\r\n' + token + '--cut--\r\n';
    for (const body of [late, file(), field('csrf', 'forged') + file()])
      expect((await sendRaw(app.url, whole(body, cookie, close))).status).toBe(403);
  });

  it('has 8 kB before its file, however many parts they come in', async () => {
    const fits = field('csrf', csrf) + field('profile', 'x'.repeat(7_000)) + file();
    expect((await sendRaw(app.url, whole(fits, cookie, close))).status).toBe(303);
    for (const fields of [field('a', 'x'.repeat(8_200)), field('a', '').repeat(250)]) {
      const body = field('csrf', csrf) + fields + file();
      expect((await sendRaw(app.url, whole(body, cookie, close))).status).toBe(413);
    }
  });

  it('has 10 s until its file begins, and more for the file', async () => {
    const slow = await EndlessForm.send(
      app.url,
      head(1_000_000, cookie) + field('csrf', csrf).slice(0, -10),
    );
    const long = await EndlessForm.send(
      app.url,
      head(1_000_000, cookie) + field('csrf', csrf) + FILE,
    );
    const [cut, kept] = await Promise.all([slow.drip(15), long.drip(15)]);
    expect([slow.status, cut < 14]).toEqual([408, true]);
    expect([kept, long.status]).toEqual([Infinity, 0]);
    long.socket.destroy();
  }, 30_000);

  it('is for nobody who is not signed in, and holds no connection for longer than 10 s', async () => {
    const forms = await Promise.all([
      EndlessForm.send(app.url, head(1_000_000)),
      EndlessForm.send(app.url, head(1_000_000) + field('csrf', csrf).slice(0, -10)),
      EndlessForm.send(app.url, head(1_000_000) + field('csrf', csrf) + FILE),
      EndlessForm.send(app.url, head(1_000_000, `Cookie: portal=${'A'.repeat(43)}`) + FILE),
    ]);
    const ends = await Promise.all(forms.map((form) => form.drip(15)));
    expect(ends.map((seconds) => seconds < 14)).toEqual([true, true, true, true]);
    expect(forms.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  }, 30_000);

  it('meets the limit of strangers before anything of it is read', async () => {
    const forms = await Promise.all(
      Array.from({ length: 150 }, () => EndlessForm.send(app.url, head(1_000_000))),
    );
    await sleep(4_000);
    const limited = forms.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(60);
    expect(limited.every(({ socket }) => socket.destroyed)).toBe(true);
    for (const { socket } of forms) socket.destroy();
  }, 30_000);
});

describe('900 strangers with 60 kB of a form each', () => {
  const folder = temporaryFolder();
  let program: Program | undefined;
  afterEach(async () => {
    await program?.kill();
    removeFolder(folder);
  });

  it('cost no memory, and are gone after 10 s', async () => {
    const PORT = String(await freePort());
    const url = `http://127.0.0.1:${PORT}`;
    const env = {
      PORT,
      DATABASE_URL: 'memory:',
      LOG_LEVEL: 'error',
      MAX_CONNECTIONS_PER_IP: '1000',
    };
    program = new Program('main.js', [], env, folder);
    await program.untilReady(url);
    for (let n = 0; n < 200; n++) await (await fetch(`${url}/health/live`)).text();
    const before = residentMegabytes(program.child.pid);
    const bytes = head(1_000_000) + field('csrf', 'x'.repeat(60_000)).slice(0, -4);
    const forms: EndlessForm[] = [];
    for (let n = 0; n < 900; n++) forms.push(await EndlessForm.send(url, bytes));
    let most = 0;
    for (let n = 0; n < 12; n++) {
      for (const { socket } of forms) if (socket.writable) socket.write('y');
      await sleep(1_000);
      most = Math.max(most, residentMegabytes(program.child.pid));
    }
    await Promise.race([
      Promise.all(forms.map(({ end }) => end)),
      sleep(3_000, undefined, { ref: false }),
    ]);
    process.stderr.write(`memory: ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most\n`);
    expect(forms.filter(({ socket }) => !socket.destroyed)).toHaveLength(0);
    expect(most - before).toBeLessThan(30);
  }, 120_000);
});
