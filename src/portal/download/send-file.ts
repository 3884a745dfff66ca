import { pipeline, type Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Download } from './download.service.js';

const logger = new Logger('downloads');

/**
 * Sends a file for as long as that takes: past the framework, which ends an answer after half a
 * minute. A reader who leaves ends the stream, and an error on the way breaks the connection off, so
 * that half a file is not taken for a whole one.
 */
export function sendFile(reply: FastifyReply, { filename, contentType, stream }: Download): void {
  if (reply.raw.destroyed) return void stream.destroy();
  reply.hijack();
  reply.raw.writeHead(200, {
    ...headersOf(reply),
    'content-type': contentType,
    'content-disposition': `attachment; filename="${filename}"`,
    'cache-control': 'no-store',
  });
  pipeline(stream, reply.raw, (error) => {
    if (error) logger.warn({ err: error, file: filename }, 'download broken off');
  });
}

/** A hijacked reply would lose the headers that were set before. */
const headersOf = (reply: FastifyReply): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).map(([name, value]) => [
      name,
      Array.isArray(value) ? value : String(value),
    ]),
  );

/** Ends what was opened when the next step fails. */
export async function orEnd(stream: Readable, step: Promise<void>): Promise<void> {
  try {
    await step;
  } catch (error) {
    stream.destroy();
    throw error;
  }
}
