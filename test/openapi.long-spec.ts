import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject, OperationObject, ResponseObject } from '@nestjs/swagger';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { format } from 'prettier';
import { ANY_EVENT, EventRepository } from '../src/database/notifications/event.repository.js';
import { type ErrorCode, ERRORS } from '../src/http/problems/errors.js';
import { FIELD_ERRORS, type FieldErrorCode } from '../src/http/problems/field-errors.js';
import { EventRenderer } from '../src/notifications/event-renderer.js';
import type { Examples, OperationExamples } from '../src/reference/openapi/examples.js';
import { ELSEWHERE, IN_PORTAL, PROVOKE, sendBadField } from './support/examples/failures.js';
import { VALID } from './support/examples/requests.js';
import { type Got, Stage } from './support/examples/stage.js';
import { SUCCESSES } from './support/examples/successes.js';

const FILE = 'src/reference/openapi/examples.json';
const START = new Date('2026-01-05T09:30:00.000Z');
/** Programs that put schemas in the place of references give up somewhere below. An error in one of the payments of an event’s order is the deepest. */
const DEPTH_MAX = 13;

/** Replaces what differs from run to run. */
function tidy(value: unknown): unknown {
  const known = new Map<string, string>();
  const stable = (uuid: string): string => {
    const name = known.get(uuid) ?? `019b8d8c-36c0-7000-8000-00000000000${known.size + 1}`;
    known.set(uuid, name);
    return name;
  };
  const text = JSON.stringify(value)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://pay.example.com')
    .replaceAll(/INV-\d+/g, 'INV-1001')
    .replaceAll(/"requestId":"[^"]+"/g, '"requestId":"019b8d8c-36c0-7000-8000-0000000000ff"')
    .replaceAll(/\/pay\/[\w-]{32}/g, '/pay/kQ8yq3Zr0vJmT5n2XwL7cE4sB9dHfGaU')
    .replaceAll(/\/refund-account\/[\w-]{32}/g, '/refund-account/kQ8yq3Zr0vJmT5n2XwL7cE4sB9dHfGaU')
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    .replaceAll(/"providerReference":"[^"]+"/g, '"providerReference":"sb-20260105-0042"')
    .replaceAll(/x{64,}/g, 'xxx…')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (uuid) =>
      uuid.startsWith('019b8d8c-36c0-7') ? uuid : stable(uuid),
    );
  return JSON.parse(text) as unknown;
}

/** Below how many levels of nesting the last reference stands, each replaced by what it names. */
function depthOfReferences(document: OpenAPIObject, value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  const { $ref } = value as { $ref?: string };
  if ($ref) {
    const named = $ref.split('/').slice(1).reduce<unknown>(member, document);
    return Math.max(depth, depthOfReferences(document, named, depth));
  }
  const parts = Object.entries(value).filter(([name]) => name !== 'examples');
  return Math.max(0, ...parts.map(([, part]) => depthOfReferences(document, part, depth + 1)));
}

/** What a webhook has as its body. */
const bodyOf = (item: unknown): string | undefined =>
  /"\$ref":"[^"]*\/(\w+)"/.exec(JSON.stringify(item))?.[1];

const member = (parent: unknown, name: string): unknown =>
  (parent as Record<string, unknown>)[name];

const committed = JSON.parse(readFileSync(FILE, 'utf8')) as Examples;

describe('the OpenAPI document', () => {
  let stage: Stage;
  let document: OpenAPIObject;
  let operations: Map<string, OperationObject>;
  const ajv = new Ajv2020({ strict: false });
  const found = {
    operations: {} as Record<string, OperationExamples>,
    errors: {} as Record<string, unknown>,
    fields: {} as Record<string, unknown>,
  };

  beforeAll(async () => {
    stage = await Stage.set();
    document = (await stage.send({ method: 'GET', path: '/docs/openapi.json' }))
      .body as OpenAPIObject;
    const all = Object.values(document.paths).flatMap(
      (item) => Object.values(item) as OperationObject[],
    );
    operations = new Map(all.map((operation) => [operation.operationId!, operation]));
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
  });

  afterAll(async () => {
    await stage.strike();
    if (!process.env['UPDATE_EXAMPLES']) return;
    writeFileSync(FILE, await format(JSON.stringify(found), { parser: 'json', printWidth: 100 }));
  });

  const responseOf = (id: string, status: number): ResponseObject =>
    operations.get(id)!.responses[status] as ResponseObject;

  const codesOf = (id: string): ErrorCode[] =>
    Object.values(operations.get(id)!.responses).flatMap((response) =>
      [...(response as ResponseObject).description.matchAll(/\/errors\/(\w+)/g)].map(
        ([, code]) => code as ErrorCode,
      ),
    );

  /** Status, media type, headers and body are what the document says. */
  function expectDocumented(id: string, { status, headers, body }: Got): void {
    const response = responseOf(id, status);
    if (!response.content) return expect(body).toBe('');
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    expect(headers.get('content-type')?.split(';')[0]).toBe(type);
    const name = (response.content![type]!.schema as { $ref: string }).$ref;
    if (!ajv.validate({ $ref: `document${name}` }, body)) throw new Error(ajv.errorsText());
    const own = Object.keys(document.components!.headers!).filter((header) => headers.has(header));
    expect(Object.keys(response.headers!)).toEqual(expect.arrayContaining(own));
    const schema = document.components!.schemas![name.split('/').at(-1)!] as {
      properties: Record<string, unknown>;
    };
    expect(Object.keys(schema.properties)).toEqual(
      expect.arrayContaining(Object.keys(body as object)),
    );
  }

  async function successesOf(id: string): Promise<OperationExamples> {
    const requests: Record<string, unknown> = {};
    const answers: Record<string, Record<string, unknown>> = {};
    for (const { name, of, status = 200, showsRequest } of SUCCESSES[id]!) {
      stage.app.clock.set(START);
      const sent = await of(stage);
      const got = await stage.send(sent);
      expect([name, got.status]).toEqual([name, status]);
      expectDocumented(id, got);
      (answers[status] ??= {})[name] = tidy(got.body);
      if (showsRequest) requests[name] = tidy(sent.body);
    }
    return Object.keys(requests).length > 0 ? { requests, answers } : { answers };
  }

  async function problemsOf(id: string): Promise<Record<string, Record<string, unknown>>> {
    const answers: Record<string, Record<string, unknown>> = {};
    for (const code of codesOf(id)) {
      stage.app.clock.set(START);
      const got = await PROVOKE[code]!(stage, await VALID[id]!(stage));
      expect(got.body).toMatchObject({ code });
      expectDocumented(id, got);
      (answers[got.status] ??= {})[code] = tidy(got.body);
      found.errors[code] ??= tidy(got.body);
    }
    return answers;
  }

  const matches = (actual: unknown, example: unknown): void => {
    if (!process.env['UPDATE_EXAMPLES']) expect(actual).toEqual(example);
  };

  it('has the unversioned paths only, each once, and in the order in which one uses them', () => {
    expect(Object.keys(document.paths)).toEqual([
      '/api/order',
      '/api/order/{txid}',
      '/api/order/search',
      '/api/order/status',
      '/api/order/{txid}/status',
      '/api/order/{txid}/refund',
      '/api/refund',
      '/api/refund/{id}',
      '/api/refund/{id}/payer-link',
      '/api/payout',
      '/api/payout/{id}',
      '/api/payout/{id}/line',
      '/api/balance',
      '/api/event',
      '/api/webhook-endpoint',
      '/api/webhook-endpoint/{id}',
      '/api/webhook-endpoint/{id}/secret',
      '/api/webhook-endpoint/{id}/test',
      '/api/webhook-endpoint/{id}/delivery',
      '/api/webhook-endpoint/{id}/delivery/{deliveryId}',
      '/api/webhook-endpoint/{id}/delivery/{deliveryId}/resend',
      '/api/webhook-endpoint/{id}/resend',
      '/api/notification-recipient',
      '/api/notification-recipient/{id}',
      '/api/notification-recipient/{id}/test',
      '/api/test-helpers/order/{txid}/payment',
      '/api/test-helpers/order/{txid}/late-payment',
      '/api/test-helpers/order/{txid}/expire',
      '/api/test-helpers/order/{txid}/cancel',
      '/api/test-helpers/order/{txid}/accept',
      '/api/test-helpers/refund/{id}',
    ]);
    expect([...operations.keys()].toSorted()).toEqual(Object.keys(VALID).toSorted());
  });

  it('names the parameters of a path first, in its order', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(item) as OperationObject[]) {
        const names = (parameters as { $ref: string }[]).map(
          ({ $ref }) => $ref.split('/').slice(1).reduce<unknown>(member, document) as object,
        );
        expect(names.slice(0, inPath.length)).toMatchObject(inPath.map((name) => ({ name })));
      }
    }
  });

  it('describes what webhooks bring', async () => {
    const { shop } = await stage.payee;
    const owner = { merchantId: shop.merchantId, mode: 'test' } as const;
    const { last } = await stage.app.get(EventRepository).publish(owner);
    const range = { after: 0, to: last };
    const events = await stage.app.get(EventRepository).page(owner, range, ANY_EVENT, last);
    const names = events.map((event) => ('order' in event ? 'OrderEvent' : 'PayoutEvent'));
    expect(new Set(names).size).toBe(2);
    for (const [n, event] of events.entries()) {
      const payload = stage.app.get(EventRenderer).event(event);
      const name = `document#/components/schemas/${names[n]}`;
      if (!ajv.validate({ $ref: name }, payload)) throw new Error(ajv.errorsText());
    }
    expect(Object.values(document.webhooks!).map(bodyOf)).toEqual([
      'OrderEvent',
      'PayoutEvent',
      'TestEvent',
    ]);
  });

  it('is shallow enough for readers that follow references for a few levels only', () => {
    const deepest = [...operations.values()].flatMap(({ responses }) =>
      Object.values(responses).map((response) => depthOfReferences(document, response)),
    );
    expect(Math.max(...deepest)).toBeLessThanOrEqual(DEPTH_MAX);
  });

  it('marks exactly the operations that answer with Deprecation', async () => {
    for (const [id, { deprecated = false }] of operations) {
      const got = await stage.send(await VALID[id]!(stage));
      expect([id, got.headers.has('deprecation')]).toEqual([id, deprecated]);
    }
  });

  it.each(Object.keys(VALID))('%s answers as its examples say', async (id) => {
    const successes = await successesOf(id);
    const actual = { ...successes, answers: { ...successes.answers, ...(await problemsOf(id)) } };
    found.operations[id] = actual;
    expect(Object.keys(actual.answers)).toEqual(Object.keys(operations.get(id)!.responses));
    matches(actual, committed.operations[id]);
  });

  it('has an example of every error', async () => {
    for (const [code, provoke] of Object.entries(ELSEWHERE)) {
      const got = await provoke(stage);
      expect(got.body).toMatchObject({ code, status: got.status });
      found.errors[code] = tidy(got.body);
    }
    const answered = Object.keys(ERRORS).filter((code) => !IN_PORTAL.includes(code as ErrorCode));
    expect(Object.keys(found.errors).toSorted()).toEqual(answered.toSorted());
    matches(found.errors, committed.errors);
  });

  it('has an example of every bad field', async () => {
    for (const code of Object.keys(FIELD_ERRORS) as FieldErrorCode[]) {
      const got = await sendBadField(stage, code);
      expect(got.body).toMatchObject({ code: 'validation_failed', errors: [{ code }] });
      found.fields[code] = tidy(got.body);
    }
    matches(found.fields, committed.fields);
  });
});
