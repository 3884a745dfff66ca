import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import {
  ApiHeader,
  ApiParam,
  ApiQuery,
  DECORATORS,
  type ParameterObject,
  type SchemaObject,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { NEWEST, uuidOf } from '../common/ids.js';
import type { ErrorCode } from './problems/errors.js';
import {
  IDEMPOTENCY_KEY_LENGTH_MAX,
  InvalidIdempotencyKeyError,
  parseIdempotencyKey,
} from './idempotency-key.js';
import { oncePerHandler } from './once-per-handler.js';
import { Problem } from './problems/problem.js';
import { PAGE_LIMIT, type Query, repeatedName } from './query.js';

/** Component name of a parameter, and the errors of reading it. */
export const COMPONENT = 'x-component';
export const CAN_ANSWER = 'x-can-answer';

export type DescribedParameter = ParameterObject & {
  readonly [COMPONENT]: string;
  readonly [CAN_ANSWER]: readonly ErrorCode[];
};

interface Facts {
  readonly name: string;
  readonly component: string;
  readonly description: string;
  readonly schema: SchemaObject;
  readonly errors?: readonly ErrorCode[];
}

const toSwagger = ({ component, errors = [], ...parameter }: Facts) => ({
  ...parameter,
  extensions: { [COMPONENT]: component, [CAN_ANSWER]: errors },
});

/** Lets a parameter decorator add a decorator to its handler. */
export const describes =
  (decorator: MethodDecorator): ParameterDecorator =>
  (target, name) => {
    decorator(target, name!, Object.getOwnPropertyDescriptor(target, name!)!);
  };

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

const declaredIn = oncePerHandler((context): ReadonlySet<string> => {
  const parameters: readonly ParameterObject[] =
    Reflect.getMetadata(DECORATORS.API_PARAMETERS, context.getHandler()) ?? [];
  const inQuery = parameters.filter((it) => it.in === 'query');
  return new Set(inQuery.flatMap(({ name, style }) => (style ? [name, repeatedName(name)] : name)));
});

/**
 * Rejects query parameters that the handler does not declare.
 * @throws Problem `unknown_parameter`
 */
export function refuseUnknownParameters(context: ExecutionContext): void {
  const declared = declaredIn(context);
  const unknown = Object.keys(requestOf(context).query as object).find(
    (sent) => !declared.has(sent),
  );
  if (unknown === undefined) return;
  throw new Problem('unknown_parameter', {
    detail: `The query parameter "${unknown.slice(0, 64)}" is unknown here.`,
  });
}

/** An optional query parameter; lists are documented as comma-separated text. */
export interface QueryParameter extends Facts {
  readonly style?: 'form';
  readonly explode?: false;
}

/** The query as one value. Only the given parameters are allowed. */
export const queryOf = <T>(read: (query: Query) => T, ...parameters: readonly QueryParameter[]) =>
  createParamDecorator(
    (_: unknown, context: ExecutionContext): T => {
      refuseUnknownParameters(context);
      return read(requestOf(context).query as Query);
    },
    parameters.map((parameter) =>
      describes(ApiQuery({ ...toSwagger(parameter), required: false })),
    ),
  );

/** Page size; read by `limitOf`. */
export const LIMIT: QueryParameter = {
  name: 'limit',
  component: 'Limit',
  description: 'How many entries the page has at most.',
  schema: {
    type: 'integer',
    minimum: PAGE_LIMIT.min,
    maximum: PAGE_LIMIT.max,
    default: PAGE_LIMIT.standard,
  },
  errors: ['invalid_parameter'],
};

export const UUID_SCHEMA: SchemaObject = { type: 'string', format: 'uuid' };

export interface PathId {
  readonly name: string;
  readonly component: string;
  /** Without a full stop. */
  readonly description: string;
  readonly notFound: ErrorCode;
}

/** An id in the path, or a keyword. Invalid ids are not found. */
export const pathId = ({ name, component, description, notFound }: PathId, word?: typeof NEWEST) =>
  createParamDecorator(
    (_: unknown, context: ExecutionContext): string => {
      refuseUnknownParameters(context);
      const text = (requestOf(context).params as Record<string, string>)[name] ?? '';
      if (text === word) return text;
      const id = uuidOf(text);
      if (id === null) throw new Problem(notFound);
      return id;
    },
    [
      describes(
        ApiParam(
          toSwagger({
            name,
            component: word ? `${component}OrNewest` : component,
            description: `${description}${word ? `, or \`${word}\` for the one made last` : ''}.`,
            schema: word ? { anyOf: [UUID_SCHEMA, { enum: [word] }] } : UUID_SCHEMA,
            errors: [notFound],
          }),
        ),
      ),
    ],
  );

/** Entity tags of the `If-Match` header, including `*`; undefined without the header. */
export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext): readonly string[] | undefined =>
    requestOf(context)
      .headers['if-match']?.split(',')
      .map((tag) => tag.trim()),
  [
    describes(
      ApiHeader(
        toSwagger({
          name: 'If-Match',
          component: 'IfMatch',
          description:
            'The `ETag` of the order that the change is meant for. Without it the order is changed as it is.',
          schema: { type: 'string' },
          errors: ['order_changed'],
        }),
      ),
    ),
  ],
);

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Bare without spaces, or quoted. */
const KEY_PATTERN = `^([!#-~][!-~]{0,${IDEMPOTENCY_KEY_LENGTH_MAX - 1}}|"[ !#-\\[\\]-~]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}")$`;

/** The `Idempotency-Key` header without quotes, or undefined. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext) => {
    try {
      return parseIdempotencyKey(requestOf(context).headers['idempotency-key']);
    } catch (error) {
      if (!(error instanceof InvalidIdempotencyKeyError)) throw error;
      throw new Problem('invalid_idempotency_key', { detail: error.message });
    }
  },
  [
    describes(
      ApiHeader(
        toSwagger({
          name: IDEMPOTENCY_KEY,
          component: 'IdempotencyKey',
          description:
            'A name for this request, of printable ASCII and best a random UUID, bare or in double quotes. A repeat with the same key gets the first answer.',
          schema: { type: 'string', pattern: KEY_PATTERN },
          errors: ['invalid_idempotency_key'],
        }),
      ),
    ),
  ],
);
