import { pipeline, type Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { hijack } from '../http/hijack.js';
import type { ExportFile } from './export-stream.service.js';

const logger = new Logger('downloads');

/**
 * Sends a file for as long as that takes: past the framework, which ends an answer after half a
 * minute. A reader who leaves, or takes nothing and is cut off, ends the stream, and an error on the way breaks the connection off, so
 * that half a file is not taken for a whole one.
 */
export function sendFile(reply: FastifyReply, { filename, contentType, stream }: ExportFile): void {
  if (reply.raw.destroyed) return void stream.destroy();
  hijack(reply, {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${filename}"`,
    'cache-control': 'no-store',
  });
  pipeline(stream, reply.raw, (error) => {
    if (error) logger.warn({ err: error, file: filename }, 'download broken off');
  });
}

/** Ends what was opened when the next step fails. */
export async function orEnd<T>(stream: Readable, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    stream.destroy();
    throw error;
  }
}
