import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { preferred } from './accepts.js';

const JSON_TYPE = 'application/json';

/** What a route answers beside JSON. */
export const Produces = (...types: readonly string[]): MethodDecorator =>
  RouteConfig({ produces: types });

/** The other types of the route that a request is for. */
export const producedBy = ({ routeOptions }: FastifyRequest): readonly string[] =>
  (routeOptions.config as { readonly produces?: readonly string[] } | undefined)?.produces ?? [];

/** The type that the client would rather have, of JSON and what else the route answers. */
export const WantedType = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return preferred(request.headers.accept, [JSON_TYPE, ...producedBy(request)]) ?? JSON_TYPE;
});
