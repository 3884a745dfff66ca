import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { RouteTable } from './route-table.js';

function routes(): RouteTable {
  const server = fastify();
  const table = new RouteTable(server);
  const answer = (): string => '';
  server.get('/order', answer);
  server.post('/order', answer);
  server.get('/order/status', answer);
  server.route({ method: ['GET', 'DELETE'], url: '/order/:txid', handler: answer });
  server.get('/files/pay.css', answer);
  server.get('/docs/*', answer);
  server.get('*', answer);
  return table;
}

describe(RouteTable.name, () => {
  it.each([
    ['/order', ['GET', 'HEAD', 'POST']],
    ['/order/', ['GET', 'HEAD', 'POST']],
    ['/order/5', ['DELETE', 'GET', 'HEAD']],
    // One path can be known by two routes.
    ['/order/status', ['DELETE', 'GET', 'HEAD']],
    ['/docs/a/b', ['GET', 'HEAD']],
    ['/files/pay.css', ['GET', 'HEAD']],
    ['/files/pay-css', []],
    ['/order/5/6', []],
    ['/orders', []],
    ['/', []],
    ['', []],
  ])('knows the methods of %p', (path, methods) => {
    expect(routes().methodsOf(path)).toEqual(methods);
  });
});
