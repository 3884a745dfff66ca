import { spawnSync } from 'node:child_process';
import { it } from '@jest/globals';

/** The user `nobody`, who owns nothing. */
export const NOBODY = 65_534;

const isRoot = process.getuid?.() === 0;

/** A test that needs to act as two users of the host, which only root can. */
export const itAsRoot = isRoot ? it : it.skip;
if (!isRoot)
  process.stderr.write('skipped: what other users of the host can do is tried only as root\n');

/** The program starts as root, which may read it wherever it is, and gives that up first. */
const asNobody = (script: string): string =>
  `process.setgroups([]);process.setgid(${NOBODY});process.setuid(${NOBODY});
  const fs = require('node:fs'), net = require('node:net'), path = require('node:path');
  const input = JSON.parse(process.argv[1]);
  ${script}`;

/** What a script of `nobody` prints, as JSON. It finds its input in `input`. */
export function runAsNobody<T>(script: string, input: unknown): T {
  const args = ['-e', asNobody(script), JSON.stringify(input)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const TRY_ALL = `
  const open = [];
  const attempt = (what, work) => { try { work(); open.push(what); } catch {} };
  const sockets = [];
  for (const [kind, file] of input) {
    if (kind === 'folder') {
      attempt('list ' + file, () => fs.readdirSync(file));
      attempt('write in ' + file, () => fs.writeFileSync(path.join(file, 'planted'), ''));
    } else if (kind === 'socket') {
      sockets.push(new Promise((settle) => net.connect(file)
        .once('connect', function () { open.push('connect ' + file); this.destroy(); settle(); })
        .once('error', () => settle())));
    } else {
      attempt('read ' + file, () => fs.closeSync(fs.openSync(file, 'r')));
      attempt('write ' + file, () => fs.closeSync(fs.openSync(file, 'r+')));
    }
  }
  Promise.all(sockets).then(() => console.log(JSON.stringify(open)));
`;

/** What `nobody` can do with files, folders and sockets: nothing, where all are private. */
export const openToNobody = (places: readonly (readonly [string, string])[]): string[] =>
  runAsNobody(TRY_ALL, places);
