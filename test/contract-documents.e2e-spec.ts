import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject, OperationObject, SchemaObject } from '@nestjs/swagger';
import { FAILURE_CODES } from '../src/common/decline-codes.js';
import { KNOWN_METHODS, KNOWN_PROVIDERS } from '../src/contract/payment.response.js';
import { API_VERSIONS, type ApiVersion, NEWEST_API_VERSION } from '../src/common/api-version.js';
import type { PaymentProvider } from '../src/providers/provider.js';
import { PROVIDERS } from '../src/providers/provider-registry.js';
import {
  answerSchema,
  objectsIn,
  operationsOf,
  parametersOf,
  schemasOf,
  strictChecks,
} from './support/openapi.js';
import { callOrders, callPayouts } from './support/each-operation.js';
import { PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';

const { app } = await openShop({ env: PAYS });

const documents = {} as Record<ApiVersion, OpenAPIObject>;
const open = async (path: string) => {
  const response = await fetch(app.url + path);
  return { status: response.status, text: await response.text() };
};

const fieldsOf = (version: ApiVersion, schema: string): string[] => {
  const { properties, required } = schemasOf(documents[version])[schema] as SchemaObject;
  expect(Object.keys(properties!)).toEqual(expect.arrayContaining(required!));
  return Object.keys(properties!);
};

describe('the documents of the contracts', () => {
  beforeAll(async () => {
    for (const version of API_VERSIONS) {
      documents[version] = JSON.parse((await open(`/docs/openapi-${version}.json`)).text);
    }
  });

  it('has the newest under two names, and none of a version that there is not', async () => {
    const newest = await open(`/docs/openapi-${NEWEST_API_VERSION}.json`);
    expect(newest).toEqual(await open('/docs/openapi.json'));
    for (const name of ['openapi-1.1.json', 'openapi-.json', 'openapi-1.2', '1.1', '1.2.json']) {
      expect((await open(`/docs/${name}`)).status).toBe(404);
    }
  });

  it.each(API_VERSIONS)('%s: says of which version it is, and sends it', (version) => {
    const { info, components } = documents[version];
    expect(info.version).toBe(version);
    expect(info.description).toContain(`version ${version};`);
    const { ApiVersion: parameter } = components!.parameters as Record<string, object>;
    expect(parameter).toMatchObject({ schema: { enum: [version], default: version } });
  });

  it.each(API_VERSIONS)('%s: refers to what is there, and has nothing else', (version) => {
    const document = documents[version];
    const text = JSON.stringify(document);
    for (const word of ['x-brought-by', 'x-deprecation', 'nullable'])
      expect(text).not.toContain(word);
    const references = new Set(text.match(/(?<="#\/components\/)\w+\/[^"]+(?=")/g));
    const { schemas, parameters, headers } = document.components!;
    const there = Object.entries({ schemas, parameters, headers }).flatMap(([section, named]) =>
      Object.keys(named!).map((name) => `${section}/${name}`),
    );
    expect([...references].toSorted()).toEqual(there.toSorted());
  });

  it('1.0 has no look-up by selector, and nothing that is better elsewhere', () => {
    const idsIn = (version: ApiVersion) =>
      operationsOf(documents[version]).map((it) => it.operationId);
    const missing = idsIn(NEWEST_API_VERSION).filter((id) => !idsIn('1.0').includes(id));
    expect(missing).toEqual(['getOrder', 'getOrderStatus']);
    for (const version of API_VERSIONS) {
      const deprecated = operationsOf(documents[version]).filter((it) => it.deprecated);
      const ids = deprecated.map(({ operationId }) => operationId);
      expect(ids).toEqual(version === '1.0' ? [] : ['getOrderByTxid', 'getOrderStatusByTxid']);
      const tells = JSON.stringify(documents[version].paths).includes('/components/headers/Sunset');
      expect(tells).toBe(version !== '1.0');
    }
    expect(JSON.stringify(documents['1.0'])).not.toContain('instead of');
  });

  it('has the fields that its version has, in requests and answers', () => {
    const versionsWith = (schema: string, field: string) =>
      API_VERSIONS.filter((version) => fieldsOf(version, schema).includes(field));
    const from = (version: ApiVersion) => API_VERSIONS.slice(API_VERSIONS.indexOf(version));
    for (const schema of ['Order', 'CreateOrder']) {
      expect(versionsWith(schema, 'optionalFields')).toEqual(from('1.2'));
    }
    for (const field of ['payerAccountNumber', 'payerAccountType', 'payerAccountName']) {
      expect(versionsWith('Payment', field)).toEqual(from('1.2.2'));
      for (const version of API_VERSIONS) {
        const inEvents = JSON.stringify(schemasOf(documents[version])['OrderEvent']);
        expect(inEvents.includes(field)).toBe(from('1.2.2').includes(version));
      }
    }
  });

  it.each(API_VERSIONS)('%s: what operations answer is what it says', async (version) => {
    const fault = strictChecks(documents[version]);
    const replies = {
      ...(await callOrders(await app.merchant({ apiVersion: version }), version)),
      ...(await callPayouts(app, await app.merchant({ apiVersion: version }))),
    };
    for (const [of, { status, body }] of Object.entries(replies)) {
      const id = of === 'cancelPaidOrder' ? 'cancelOrder' : of;
      if (version === '1.0' && ['getOrder', 'getOrderStatus'].includes(id)) {
        expect([of, status]).toEqual([of, 404]);
        continue;
      }
      expect([of, fault(answerSchema(documents[version], id, status), body)]).toEqual([of, null]);
    }
  });

  it.each(API_VERSIONS)('%s: its examples are what it says', (version) => {
    const fault = strictChecks(documents[version]);
    let examples = 0;
    for (const media of objectsIn(documents[version].paths)) {
      const { schema, examples: named } = media as {
        schema?: { $ref?: string };
        examples?: object;
      };
      if (!schema?.$ref || !named) continue;
      for (const [name, { value }] of Object.entries<{ value: unknown }>(named as never)) {
        expect([name, fault(schema.$ref, value)]).toEqual([name, null]);
        examples += 1;
      }
    }
    expect(examples).toBeGreaterThan(400);
  });
});

describe('the forms of the document', () => {
  const all = () => objectsIn(schemasOf(documents[NEWEST_API_VERSION]));

  it('requires no field of a request by its default, and puts null into no list', () => {
    for (const schema of all()) {
      expect(Object.keys(schema)).not.toContain('default');
      expect(schema['enum'] ?? []).not.toContain(null);
      if (schema['anyOf']) expect(Object.keys(schema)).not.toContain('type');
    }
  });

  it('describes every operation', () => {
    for (const { operationId, summary, description } of operationsOf(
      documents[NEWEST_API_VERSION],
    )) {
      expect([operationId, summary, description]).toEqual([
        operationId,
        expect.stringMatching(/\w/),
        expect.stringMatching(/\w.*\.$/s),
      ]);
    }
  });

  it('names what an order has in it', () => {
    const { Order, CreateOrder } = schemasOf(documents[NEWEST_API_VERSION]) as Record<
      string,
      SchemaObject
    >;
    const or = (name: string) => ({
      anyOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }],
    });
    expect(Order!.properties).toMatchObject({
      payment: or('Payment'),
      customer: or('OrderCustomer'),
    });
    expect(CreateOrder!.properties).toMatchObject({ customer: or('Customer') });
  });

  it.each([
    ['Order', 'statusReason', ['by_payer', 'of_tomorrow', null]],
    ['Payment', 'error/properties/code', ['declined', 'of_tomorrow']],
    ['OrderStatus', 'statusReason', ['by_payer', 'of_tomorrow', null]],
    ['Payment', 'provider', ['sandbox', 'of_tomorrow']],
    ['Payment', 'method', ['sandbox', 'of_tomorrow']],
    ['WebhookDelivery', 'type', ['order.paid', 'webhook.test', 'of.tomorrow']],
    ['LastDelivery', 'type', ['order.paid', 'mail.test', 'of.tomorrow']],
    ['Order', 'currency', ['EUR', 'XTM']],
  ])('takes values of tomorrow: %s.%s', (schema, field, values) => {
    const fault = strictChecks(documents[NEWEST_API_VERSION]);
    const name = `#/components/schemas/${schema}/properties/${field}`;
    for (const value of values) expect([value, fault(name, value)]).toEqual([value, null]);
    expect(fault(name, 7)).not.toBeNull();
  });

  it('lists the codes of failed payments, where they stand', () => {
    const { Order, Payment } = schemasOf(documents[NEWEST_API_VERSION]) as Record<string, object>;
    const choice = { anyOf: [{ enum: expect.arrayContaining(Object.keys(FAILURE_CODES)) }, {}] };
    const code = { properties: { code: choice } };
    expect(Payment).toMatchObject({ properties: { error: code } });
    const reason = { anyOf: [...choice.anyOf, {}] };
    expect(Order).toMatchObject({ properties: { statusReason: reason } });
  });

  it('knows every provider that the service has, and its methods', () => {
    const providers = app.nest.get<readonly PaymentProvider[]>(PROVIDERS, { strict: false });
    expect(KNOWN_PROVIDERS).toEqual(providers.map(({ name }) => name));
    expect(KNOWN_METHODS).toEqual(providers.flatMap(({ methods }) => methods.map(({ id }) => id)));
  });

  it('reads all forms of every list in a query', async () => {
    const document = documents[NEWEST_API_VERSION];
    const shop = await app.merchant();
    const orders = [await shop.order(), await shop.order(), await shop.order()];
    await shop.pay(orders[0]!.txid);
    const twoOf = ({ enum: values, format }: SchemaObject, name: string): string[] =>
      (values as string[] | undefined)?.slice(0, 2) ??
      orders
        .slice(0, 2)
        .map(({ txid, orderMerchantId }) =>
          format === 'uuid' || name === 'txid' ? txid : orderMerchantId,
        );
    const lists: string[] = [];
    for (const [path, item] of Object.entries(document.paths)) {
      for (const operation of Object.values(item) as OperationObject[]) {
        for (const { name, in: place, schema } of parametersOf(operation, document)) {
          const { type, items } = schema as SchemaObject;
          if (place !== 'query' || type !== 'array') continue;
          const values = twoOf(items as SchemaObject, name);
          const ask = (query: string) => shop.call('GET', `${path}?${query}`);
          const listed = await ask(`${name}=${values.join(',')}`);
          for (const repeated of [name, `${name}[]`]) {
            const { status, body } = await ask(values.map((it) => `${repeated}=${it}`).join('&'));
            expect([repeated, status, body]).toEqual([repeated, 200, listed.body]);
          }
          lists.push(`${path} ${name}`);
        }
      }
    }
    expect(lists).toEqual([
      '/api/order/search txid',
      '/api/order/search orderMerchantId',
      '/api/order/search status',
      '/api/refund status',
      '/api/payout status',
      '/api/event type',
      '/api/event txid',
    ]);
  });
});
