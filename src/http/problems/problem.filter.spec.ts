import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ArgumentsHost, ForbiddenException, Logger, NotFoundException } from '@nestjs/common';
import { Problem, unavailable } from './problem.js';
import { ProblemFilter, toProblem } from './problem.filter.js';

const coded = (code: string, statusCode = 500): Error =>
  Object.assign(new Error('internals'), { code, statusCode });

describe(toProblem.name, () => {
  it('leaves a problem as it is', () => {
    const problem = new Problem('order_not_found');
    expect(toProblem(problem)).toBe(problem);
  });

  it.each([
    [coded('FST_ERR_CTP_INVALID_MEDIA_TYPE'), 'unsupported_media_type'],
    [coded('FST_ERR_CTP_BODY_TOO_LARGE'), 'body_too_large'],
    [coded('FST_ERR_CTP_EMPTY_JSON_BODY'), 'malformed_json'],
    [coded('FST_ERR_MAX_PARAM_LENGTH'), 'uri_too_long'],
    [coded('FST_ERR_BAD_URL'), 'route_not_found'],
    [coded('SOMETHING_ELSE', 431), 'headers_too_large'],
    [new NotFoundException(), 'route_not_found'],
    [coded('SOMETHING_ELSE', 418), 'internal_error'],
    [new ForbiddenException(), 'internal_error'],
    [new Error('internals'), 'internal_error'],
    ['a thrown text', 'internal_error'],
    [undefined, 'internal_error'],
    [null, 'internal_error'],
  ])('makes %p a problem', (error, code) => {
    const problem = toProblem(error);
    expect(problem.code).toBe(code);
    expect(problem.detail).not.toContain('internals');
  });
});

/** As much of a request and its reply as the filter touches. */
class Exchange {
  status = 0;
  headers: Record<string, string> = {};
  body = '';
  readonly request: object;

  constructor(method: string, url: string) {
    this.request = { method, url, id: 'request-1' };
  }

  get host(): ArgumentsHost {
    const reply = {
      sent: false,
      status: (status: number) => ((this.status = status), reply),
      headers: (headers: Record<string, string>) => (Object.assign(this.headers, headers), reply),
      type: (type: string) => ((this.headers['content-type'] = type), reply),
      send: (body: string) => ((this.body = body), reply),
    };
    return {
      switchToHttp: () => ({ getRequest: () => this.request, getResponse: () => reply }),
    } as unknown as ArgumentsHost;
  }
}

describe(ProblemFilter.name, () => {
  const filter = new ProblemFilter('https://pay.example', (path) =>
    path === '/order' ? ['GET', 'POST'] : [],
  );
  const logged = jest.fn();

  beforeEach(() => {
    logged.mockClear();
    Logger.overrideLogger({ error: logged, log: logged, warn: logged });
  });

  const answer = async (error: unknown, method = 'GET', url = '/order?secret=1') => {
    const exchange = new Exchange(method, url);
    await filter.catch(error, exchange.host);
    return exchange;
  };

  it('writes problem details without the query', async () => {
    const { status, headers, body } = await answer(new Problem('order_not_found'));
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(body)).toEqual({
      type: 'https://pay.example/errors/order_not_found',
      title: 'The order was not found',
      status: 404,
      detail: expect.any(String),
      instance: '/order',
      code: 'order_not_found',
      requestId: 'request-1',
      retryable: false,
    });
    expect(logged).not.toHaveBeenCalled();
  });

  it('tells a path that lacks the method from one that is not there', async () => {
    const wrongMethod = await answer(new NotFoundException(), 'PUT');
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers['allow']).toBe('GET, POST');
    expect((await answer(new NotFoundException(), 'PUT', '/orders')).status).toBe(404);
    expect((await answer(new NotFoundException(), 'POST')).status).toBe(404);
  });

  it('logs a mistake of its own and tells nothing of it', async () => {
    const { status, body } = await answer(new Error('relation "orders" does not exist'));
    expect(status).toBe(500);
    expect(body).not.toContain('relation');
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ requestId: 'request-1' }),
      'internal_error',
      'errors',
    );
  });

  it('keeps the bytes for a repeat before it sends them', async () => {
    const kept: string[] = [];
    const remember = async (status: number, body: string): Promise<void> => {
      kept.push(`${status} ${body}`);
    };
    const { body } = await answer(new Problem('order_already_exists', { remember }));
    expect(kept).toEqual([`409 ${body}`]);
  });

  it.each([
    [unavailable('The database is away.'), 503, '2'],
    [new Error('a mistake'), 500, undefined],
  ])('tells that an answer could not be kept: %s', async (fault, expected, retryAfter) => {
    const remember = () => Promise.reject(fault);
    const problem = new Problem('order_already_exists', { remember });
    const { status, headers, body } = await answer(problem);
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({
      status: expected,
      retryAfter,
    });
    expect(JSON.parse(body).status).toBe(expected);
    expect(logged).toHaveBeenCalledTimes(1);
  });
});
