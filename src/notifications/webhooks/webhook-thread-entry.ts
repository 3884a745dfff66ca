import { setDefaultCACertificates } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import { exchange, type Exchanged, failed } from './webhook-exchange.js';
import type { ThreadData, ThreadMessage } from './webhook-thread.js';

setDefaultCACertificates((workerData as ThreadData).ca);

/** Runs in a thread of its own: TLS with a hostile receiver can take seconds of the processor in one turn. */
const running = new Map<number, AbortController>();

parentPort!.on('message', (message: ThreadMessage) => {
  if ('stop' in message) running.get(message.stop)?.abort();
  else run(message).catch(() => answer(message.id, failed('The attempt failed.')));
});

async function run({ id, request }: Extract<ThreadMessage, { id: number }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const exchanged = await exchange(request, controller.signal);
  running.delete(id);
  answer(id, exchanged);
}

const answer = (id: number, exchanged: Exchanged): void =>
  parentPort!.postMessage({ id, exchanged });
