import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import type { ExportFile } from '../exports/export-stream.service.js';
import { sendFile } from '../exports/send-file.js';
import { type PageAnswer, prepare } from './kit/answer.js';

/** Sends the responses of portal handlers. */
export class AnswerInterceptor implements NestInterceptor<PageAnswer | ExportFile> {
  intercept(
    context: ExecutionContext,
    next: CallHandler<PageAnswer | ExportFile>,
  ): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer) => {
        // The stream sends itself.
        if ('stream' in answer) return sendFile(reply, answer);
        prepare(reply, answer);
        return answer.body;
      }),
    );
  }
}
