import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  DocumentBuilder,
  type MediaTypeObject,
  type OpenAPIObject,
  type OperationObject,
  type ParameterObject,
  type RequestBodyObject,
  type ResponseObject,
  SwaggerModule,
} from '@nestjs/swagger';
import { Config } from '../../config/config.js';
import { ProblemResponse } from '../../contract/problem.response.js';
import { NEWEST_API_VERSION } from '../../http/api-version.js';
import { type ErrorCode, ERRORS } from '../../http/errors.js';
import { OPERATION_FACTS, type OperationFacts } from '../../http/operation.decorator.js';
import { EXAMPLES, type NamedExamples } from './examples.js';
import { describedParameters, HEADERS, share } from './parameters.js';
import { responsesOf } from './responses.js';
import { WEBHOOK_BODIES, WEBHOOKS } from './webhooks.js';

const ABOUT = `Create payment orders, send payers to a hosted page, and read what became of them.

**Sign in** with \`Authorization: Bearer pos_test_…\` or \`pos_live_…\`. Test and live orders never meet.

**Versions.** The same paths are served under \`/api/v1/\`. Inside v1 the header \`Api-Version\` selects a
version of the contract; without it the one pinned on your key counts. This document describes the
newest; the [changelog](/changelog) tells what older ones leave out.

**Amounts** are whole minor units of the currency. **Times** are RFC 3339 in UTC.

**Errors** are \`application/problem+json\` with a stable \`code\`; [each has a page](/errors).

**Repeats** are safe with an \`Idempotency-Key\`. Without one your \`orderMerchantId\` keeps two orders from
being live at once.`;

const SECURITY = 'apiKey';

function baseDocument(publicUrl: string): Omit<OpenAPIObject, 'paths'> {
  return new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payment orders')
    .setDescription(ABOUT)
    .setVersion(NEWEST_API_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .setExternalDoc('What each version brought', `${publicUrl}/changelog`)
    .addServer(publicUrl, 'This service')
    .addTag('orders', 'Create, read, find and cancel orders.')
    .addTag('status', 'Read only where an order is.')
    .addTag('payouts', 'See what you are paid out, and for which orders.')
    .addTag('events', 'Learn what happened to your orders and payouts.')
    .addTag('webhooks', 'Be told what happens, at addresses of your own.')
    .addTag('notification recipients', 'Have people told of paid orders by e-mail.')
    .addTag('test helpers', 'Pay without a payer, in test mode.')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Your API key.' }, SECURITY)
    .addSecurityRequirements(SECURITY)
    .build();
}

/** The OpenAPI document of the running service, made when somebody first asks for it. */
@Injectable()
export class OpenApi {
  private app: NestFastifyApplication | undefined;
  private made: OpenAPIObject | undefined;
  private text: Buffer | undefined;

  constructor(private readonly config: Config) {}

  describe(app: NestFastifyApplication): void {
    this.app = app;
  }

  get document(): OpenAPIObject {
    if (!this.app) throw new Error('there is no app to describe');
    this.made ??= buildDocument(this.app, this.config.publicUrl);
    return this.made;
  }

  /** The document as it is sent: the same bytes to everybody, however many have not read theirs yet. */
  bytes(): Buffer {
    return (this.text ??= Buffer.from(JSON.stringify(this.document)));
  }

  /** Every operation with its method and path. */
  operations(): DocumentedOperation[] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, OperationObject>).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );
  }
}

export interface DocumentedOperation {
  /** Method and path. */
  readonly name: string;
  readonly operation: OperationObject;
}

export const setupDocs = (app: NestFastifyApplication): void => app.get(OpenApi).describe(app);

function buildDocument(app: NestFastifyApplication, publicUrl: string): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, baseDocument(publicUrl), {
    extraModels: [...WEBHOOK_BODIES, ProblemResponse],
  });
  const paths = Object.entries(document.paths).filter(([path]) => !path.startsWith('/api/v1/'));
  const parameters: Record<string, ParameterObject> = {};
  for (const [path, item] of paths) {
    const operations = Object.values(item) as OperationObject[];
    for (const operation of operations) complete(path, operation, parameters);
  }
  return {
    ...document,
    paths: Object.fromEntries(inOrderOfUse(paths, document.tags)),
    webhooks: WEBHOOKS,
    components: {
      ...document.components,
      parameters,
      headers: HEADERS,
    },
  };
}

type Path = OpenAPIObject['paths'][string];

/** Paths as their tags stand; those of one tag as their controllers do. */
function inOrderOfUse(
  paths: readonly [string, Path][],
  tags: OpenAPIObject['tags'] = [],
): [string, Path][] {
  const names = tags.map(({ name }) => name);
  const place = (item: Path): number => {
    const [operation] = Object.values(item) as OperationObject[];
    return names.indexOf(operation?.tags?.[0] ?? '');
  };
  return paths.toSorted(([, a], [, b]) => place(a) - place(b));
}

/** Adds what an operation's own description only names: parameters, problems, headers and examples. */
function complete(
  path: string,
  operation: OperationObject & { [OPERATION_FACTS]?: OperationFacts },
  components: Record<string, ParameterObject>,
): void {
  const facts = operation[OPERATION_FACTS];
  if (!facts) throw new Error(`${operation.operationId} is not described`);
  delete operation[OPERATION_FACTS];
  const body = operation.requestBody as RequestBodyObject | undefined;
  const examples = EXAMPLES.operations[facts.id];
  const parameters = describedParameters(path, operation);
  operation.parameters = parameters.map((parameter) => share(parameter, components));
  operation.responses = responsesOf(operation, facts, parameters);
  if (body) illustrate(body, examples?.requests);
  for (const [status, response] of Object.entries(operation.responses)) {
    illustrate(response as ResponseObject, examples?.answers[status]);
  }
}

function illustrate({ content = {} }: Pick<ResponseObject, 'content'>, named: NamedExamples = {}) {
  const examples = Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, { summary: titleOf(name), value }]),
  );
  for (const [type, media] of Object.entries<MediaTypeObject>(content)) {
    if (type.endsWith('json')) media.examples = examples;
  }
}

const titleOf = (name: string): string => ERRORS[name as ErrorCode]?.title ?? name;
