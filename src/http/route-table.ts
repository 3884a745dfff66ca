import type { FastifyInstance } from 'fastify';

interface Route {
  readonly pattern: RegExp;
  readonly method: string;
  readonly url: string;
}

/** Routes of the server, to distinguish unknown paths from unsupported methods. */
export class RouteTable {
  private readonly routes: Route[] = [];

  /** Must be created before the routes, whose registration it observes. */
  constructor(fastify: FastifyInstance) {
    fastify.addHook('onRoute', ({ method, url }) => {
      const pattern = new RegExp(
        `^${url
          .split('/')
          .map((part) =>
            part.startsWith(':')
              ? '[^/]+'
              : part === '*'
                ? '.*'
                : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
          )
          .join('/')}/?$`,
      );
      for (const name of [method].flat()) this.routes.push({ pattern, method: name, url });
    });
  }

  /** Every route as `GET /path/:name`, sorted; without HEAD, which follows GET. */
  list(): string[] {
    const names = this.routes
      .filter(({ method }) => method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url}`);
    return [...new Set(names)].toSorted();
  }

  /** Methods of a path, sorted; empty for an unknown path. */
  methodsOf(path: string): string[] {
    const methods = this.routes
      .filter((route) => route.url !== '*' && route.pattern.test(path))
      .map((route) => route.method);
    return [...new Set(methods)].toSorted();
  }
}
