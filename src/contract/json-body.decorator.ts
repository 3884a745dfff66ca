import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { describes, refuseUnknownParameters } from '../http/parameters.js';
import { Problem } from '../http/problems/problem.js';
import { parse } from './parse.js';
import { type ContractCaller, ruleGroups } from './versions/rule-groups.js';

interface CallerRequest extends FastifyRequest {
  readonly caller: ContractCaller;
}

/**
 * The JSON body, validated by the rules of its class for the caller. The operation takes no query parameters. Errors of
 * other parameters come before those of body fields.
 * @param isOptional whether a missing body means an empty object
 */
export const JsonBody = <T extends object>(
  type: new () => T,
  { isOptional = false } = {},
): ParameterDecorator =>
  createParamDecorator(
    (_: unknown, context: ExecutionContext) => receive(context, isOptional),
    [describes(ApiBody({ type, required: !isOptional }))],
  )(undefined, {
    transform: ({ body, caller }: CallerRequest) =>
      parse(type, isOptional ? (body ?? {}) : body, ruleGroups(caller)),
  });

/** @throws Problem `unknown_parameter`, `unsupported_media_type` */
function receive(context: ExecutionContext, isOptional: boolean): CallerRequest {
  const request = context.switchToHttp().getRequest<CallerRequest>();
  refuseUnknownParameters(context);
  const isNone = isOptional && request.body === undefined;
  if (!isNone && !isJson(request)) throw new Problem('unsupported_media_type');
  return request;
}

const isJson = (request: FastifyRequest): boolean =>
  /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
