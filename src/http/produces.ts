import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { preferred } from './accepts.js';

const JSON_TYPE = 'application/json';

/** Additional media types of a route besides JSON. */
export const Produces = (...types: readonly string[]): MethodDecorator =>
  RouteConfig({ produces: types });

/** Additional media types of the requested route. */
export const producedBy = ({ routeOptions }: FastifyRequest): readonly string[] =>
  (routeOptions.config as { readonly produces?: readonly string[] } | undefined)?.produces ?? [];

/** Preferred media type of the client among JSON and the route's types. */
export const WantedType = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return preferred(request.headers.accept, [JSON_TYPE, ...producedBy(request)]) ?? JSON_TYPE;
});
