import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { LIMIT, pathId, queryOf, refuseUnknownParameters } from './parameters.js';
import type { Query } from './query.js';

const Id = pathId({
  name: 'id',
  component: 'Id',
  description: 'The thing',
  notFound: 'order_not_found',
});
const Limit = queryOf((query) => query, LIMIT);

class Things {
  list(@Id() id: string, @Limit() query: Query) {
    return [id, query];
  }

  get(@Id() id: string) {
    return id;
  }
}

describe(refuseUnknownParameters.name, () => {
  const check = (name: keyof Things, query: object) => () =>
    refuseUnknownParameters({
      getHandler: () => Things.prototype[name],
      switchToHttp: () => ({ getRequest: () => ({ query }) }),
    } as unknown as ExecutionContext);

  it('lets pass what the parameters of the handler declare', () => {
    expect(check('list', {})).not.toThrow();
    expect(check('list', { limit: '1' })).not.toThrow();
    expect(check('get', {})).not.toThrow();
  });

  it('names another one, cut to a length that a log can bear', () => {
    expect(check('get', { limit: '1' })).toThrow('parameter "limit" is unknown');
    expect(check('list', { limit: '1', Limit: '2' })).toThrow('parameter "Limit" is unknown');
    expect(check('list', { ['a'.repeat(1000)]: '' })).toThrow(`"${'a'.repeat(64)}"`);
  });

  it('knows the path from the query', () => {
    expect(check('list', { id: '1' })).toThrow('parameter "id" is unknown');
  });
});
