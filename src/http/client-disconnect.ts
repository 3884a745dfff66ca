import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** An `AbortSignal` that fires when the client disconnects. */
export const ClientDisconnect = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const left = new AbortController();
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  raw.once('close', () => left.abort());
  return left.signal;
});
