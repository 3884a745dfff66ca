import { pipeline, type Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { hijack } from '../http/hijack.js';
import type { ExportFile } from './export-stream.service.js';

const logger = new Logger('downloads');

/**
 * Sends a file without the framework's time limit of half a minute. A disconnected or stalled client ends the stream;
 * an error aborts the connection, so that a partial file is not taken for a complete one.
 */
export function sendFile(reply: FastifyReply, { filename, contentType, stream }: ExportFile): void {
  if (reply.raw.destroyed) return void stream.destroy();
  hijack(reply, {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${filename}"`,
    'cache-control': 'no-store',
  });
  pipeline(stream, reply.raw, (error) => {
    if (error)
      logger.warn({ event: 'download.aborted', err: error, file: filename }, 'download aborted');
  });
}

/** Destroys the stream if the next step fails. */
export async function orEnd<T>(stream: Readable, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    stream.destroy();
    throw error;
  }
}
