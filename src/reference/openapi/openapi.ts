import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  DocumentBuilder,
  type MediaTypeObject,
  type OpenAPIObject,
  type OperationObject,
  type ParameterObject,
  type ReferenceObject,
  type RequestBodyObject,
  type ResponseObject,
  type SchemaObject,
  SwaggerModule,
} from '@nestjs/swagger';
import { Config } from '../../config/config.js';
import { ProblemResponse } from '../../contract/problem.response.js';
import { type ApiVersion, isBefore, NEWEST_API_VERSION } from '../../common/api-version.js';
import { type ErrorCode, ERRORS } from '../../http/problems/errors.js';
import {
  BROUGHT_BY,
  DEPRECATION,
  type Deprecation,
  OPERATION_FACTS,
  type OperationFacts,
} from '../../http/operation.decorator.js';
import { dropLater, dropUnused, isIn } from './contract.js';
import { EXAMPLES, type NamedExamples } from './examples.js';
import { knownMembers } from './known-members.js';
import { describedParameters, HEADERS, share } from './parameters.js';
import { responsesOf } from './responses.js';
import { WEBHOOK_BODIES, WEBHOOKS } from './webhooks.js';

const aboutOf = (
  version: ApiVersion,
): string => `Create payment orders, send payers to a hosted page, and read what became of them.

**Sign in** with \`Authorization: Bearer pos_test_…\` or \`pos_live_…\`. Test and live orders never meet.

**Versions.** The same paths are served under \`/api/v1/\`. Inside v1 the header \`Api-Version\` selects a
version of the contract; without it the one pinned on your key counts. This document describes
version ${version}; each version has [its own](/changelog).

**Amounts** are whole minor units of the currency. **Times** are RFC 3339 in UTC.

**Errors** are \`application/problem+json\` with a stable \`code\`; [each has a page](/errors).

**Repeats** are safe with an \`Idempotency-Key\`. Without one your \`orderMerchantId\` keeps two orders from
being live at once.`;

const SECURITY = 'apiKey';

function baseDocument(publicUrl: string, version: ApiVersion): Omit<OpenAPIObject, 'paths'> {
  return new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payment orders')
    .setDescription(aboutOf(version))
    .setVersion(version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .setExternalDoc('What each version brought', `${publicUrl}/changelog`)
    .addServer(publicUrl, 'This service')
    .addTag('orders', 'Create, read, find and cancel orders.')
    .addTag('status', 'Read only where an order is.')
    .addTag('refunds', 'Send money of paid orders back.')
    .addTag('payouts', 'See what you are paid out, and for which orders.')
    .addTag('events', 'Learn what happened to your orders and payouts.')
    .addTag('webhooks', 'Receive events at URLs of your own.')
    .addTag('notification recipients', 'Send e-mails about paid orders to people.')
    .addTag('test helpers', 'Pay without a payer, in test mode.')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'Your API key.' }, SECURITY)
    .addSecurityRequirements(SECURITY)
    .build();
}

/** OpenAPI documents of the service, one per API version, generated on first use. */
@Injectable()
export class OpenApi {
  private app: NestFastifyApplication | undefined;
  private readonly made = new Map<ApiVersion, OpenAPIObject>();
  private readonly texts = new Map<ApiVersion, Buffer>();

  constructor(private readonly config: Config) {}

  describe(app: NestFastifyApplication): void {
    this.app = app;
  }

  private document(version: ApiVersion): OpenAPIObject {
    if (!this.app) throw new Error('there is no app to describe');
    const made = this.made.get(version) ?? buildDocument(this.app, this.config.publicUrl, version);
    this.made.set(version, made);
    return made;
  }

  /** Serialised document, shared by all responses. */
  bytes(version: ApiVersion): Buffer {
    const text = this.texts.get(version) ?? Buffer.from(JSON.stringify(this.document(version)));
    this.texts.set(version, text);
    return text;
  }

  /** All operations of the newest version, with method and path. */
  operations(): DocumentedOperation[] {
    return Object.entries(this.document(NEWEST_API_VERSION).paths).flatMap(([path, item]) =>
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

function buildDocument(
  app: NestFastifyApplication,
  publicUrl: string,
  version: ApiVersion,
): OpenAPIObject {
  const made = SwaggerModule.createDocument(app, baseDocument(publicUrl, version), {
    extraModels: [...WEBHOOK_BODIES, ProblemResponse],
  });
  // Clone, since parts are shared with the documents of other versions.
  const base = structuredClone(made);
  const paths = pathsOf(base, version);
  dropLater(version, base.components);
  const components = { ...base.components, parameters: {}, headers: { ...HEADERS } };
  for (const [path, item] of paths) {
    const operations = Object.values(item) as DescribedOperation[];
    for (const operation of operations) complete(path, operation, version, components);
  }
  const document = {
    ...base,
    paths: Object.fromEntries(inOrderOfUse(paths, base.tags)),
    webhooks: WEBHOOKS,
    components,
  };
  dropUnused(document);
  return document;
}

type DescribedOperation = OperationObject & {
  [BROUGHT_BY]?: ApiVersion;
  [OPERATION_FACTS]?: OperationFacts;
  [DEPRECATION]?: Deprecation;
};

/** Paths with the operations that the version has. */
function pathsOf({ paths }: OpenAPIObject, version: ApiVersion): [string, Path][] {
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith('/api/v1/'))
    .map(([path, item]): [string, Path] => [
      path,
      Object.fromEntries(
        Object.entries(item as object).filter(([, operation]) => isIn(version, operation)),
      ),
    ])
    .filter(([, item]) => Object.keys(item).length > 0);
}

type Path = OpenAPIObject['paths'][string];

/** Sorts paths by tag, and within a tag as in the controllers. */
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

/** Completes an operation: parameters, problems, headers and examples. */
function complete(
  path: string,
  operation: DescribedOperation,
  version: ApiVersion,
  components: Components,
): void {
  const facts = operation[OPERATION_FACTS];
  if (!facts) throw new Error(`${operation.operationId} is not described`);
  deprecate(operation, version);
  delete operation[OPERATION_FACTS];
  delete operation[BROUGHT_BY];
  const body = operation.requestBody as RequestBodyObject | undefined;
  const examples = EXAMPLES.operations[facts.id];
  const parameters = describedParameters(path, operation, version);
  operation.parameters = parameters.map((parameter) => share(parameter, components.parameters));
  operation.responses = responsesOf(operation, facts, parameters);
  if (body) illustrate(body, components, examples?.requests);
  for (const [status, response] of Object.entries(operation.responses)) {
    illustrate(response as ResponseObject, components, examples?.answers[status]);
  }
}

/** Documents the replacement of a deprecated operation, if the version has it. */
function deprecate(operation: DescribedOperation, version: ApiVersion): void {
  const deprecation = operation[DEPRECATION];
  delete operation[DEPRECATION];
  if (!deprecation || isBefore(version, deprecation.since)) return;
  operation.deprecated = true;
  operation.description += ` Use \`${deprecation.instead}\` instead.`;
}

interface Components {
  readonly schemas?: Readonly<Record<string, SchemaObject | ReferenceObject>>;
  readonly parameters: Record<string, ParameterObject>;
}

function illustrate(
  { content = {} }: Pick<ResponseObject, 'content'>,
  { schemas = {} }: Components,
  named: NamedExamples = {},
): void {
  for (const [type, media] of Object.entries<MediaTypeObject>(content)) {
    if (!type.endsWith('json')) continue;
    const examples = Object.entries(named).map(([name, example]) => [
      name,
      { summary: titleOf(name), value: knownMembers(example, media.schema!, schemas) },
    ]);
    media.examples = Object.fromEntries(examples);
  }
}

const titleOf = (name: string): string => ERRORS[name as ErrorCode]?.title ?? name;
