/** `npm run clients`: makes what of the clients is made from the OpenAPI document, of a service that it starts for that. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COLLECTION, collectionOf } from '../clients/bruno/scripts/collection.js';
import { generated } from '../clients/typescript/scripts/schema.js';

const START = path.join(import.meta.dirname, 'start');
const CLIENTS = path.resolve(import.meta.dirname, '../clients');
const POLL_MS = 100;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

async function documentAt(url, child) {
  while (child.exitCode === null) {
    const response = await fetch(`${url}/docs/openapi.json`).catch(() => undefined);
    if (response?.ok) return response.json();
    await sleep(POLL_MS);
  }
  throw new Error('the service did not start: run "npm run build" first');
}

function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(CLIENTS, folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const port = await freePort();
const child = spawn(START, {
  env: { PATH: process.env.PATH, PORT: String(port), DATABASE_URL: 'memory:', LOG_LEVEL: 'error' },
  stdio: 'inherit',
});
try {
  const document = await documentAt(`http://127.0.0.1:${port}`, child);
  write('typescript/src', await generated(document));
  rmSync(path.join(CLIENTS, 'bruno', COLLECTION), { recursive: true, force: true });
  write(path.join('bruno', COLLECTION), collectionOf(document));
} finally {
  child.kill('SIGINT');
}
