import type { FastifyInstance } from 'fastify';

interface Route {
  readonly pattern: RegExp;
  readonly method: string;
  readonly url: string;
}

/** All routes of the server, to tell "no such path" from "not with this method". */
export class RouteTable {
  private readonly routes: Route[] = [];

  /** Must be made before the routes are: it hears of each as it is added. */
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

  /** Every route as `GET /path/:name`, sorted; HEAD follows GET and is left out. */
  list(): string[] {
    const names = this.routes
      .filter(({ method }) => method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url}`);
    return [...new Set(names)].toSorted();
  }

  /** Methods that the path knows, sorted; empty when there is no such path. */
  methodsOf(path: string): string[] {
    const methods = this.routes
      .filter((route) => route.url !== '*' && route.pattern.test(path))
      .map((route) => route.method);
    return [...new Set(methods)].toSorted();
  }
}
