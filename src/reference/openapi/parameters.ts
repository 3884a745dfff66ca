import type {
  HeaderObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
} from '@nestjs/swagger';
import { API_VERSIONS, type ApiVersion } from '../../common/api-version.js';
import { CAN_ANSWER, COMPONENT, type DescribedParameter } from '../../http/parameters.js';

/** Header of every operation, read only by the guard. */
const apiVersion = (version: ApiVersion): DescribedParameter => ({
  name: 'Api-Version',
  in: 'header',
  description: `The contract of this document. Without the header the version pinned on the key counts, so send it, or pin the key to ${version}.`,
  schema: { type: 'string', enum: [version], default: version },
  [COMPONENT]: 'ApiVersion',
  [CAN_ANSWER]: [],
});

/**
 * Parameters of an operation: path parameters in path order, then the others in the order of the handler. Generated
 * clients use this order.
 */
export function describedParameters(
  path: string,
  { parameters = [] }: OperationObject,
  version: ApiVersion,
): DescribedParameter[] {
  const all = [...parameters, apiVersion(version)] as DescribedParameter[];
  const place = ({ in: where, name }: DescribedParameter): number =>
    where === 'path' ? path.indexOf(`{${name}}`) : path.length;
  return all.toSorted((a, b) => place(a) - place(b));
}

/** Moves a parameter to the components of the document. */
export function share(
  parameter: DescribedParameter,
  components: Record<string, ParameterObject>,
): ReferenceObject {
  const { name, in: place, description, schema, required, style, explode } = parameter;
  const shared = { name, in: place, description, schema, style, explode };
  components[parameter[COMPONENT]] = { ...shared, ...(required && { required }) };
  return { $ref: `#/components/parameters/${parameter[COMPONENT]}` };
}

const header = (description: string, schema: object = {}): HeaderObject => ({
  description,
  schema: { type: 'string', ...schema },
});

/** Response headers. */
export const HEADERS = {
  'Api-Version': header('Version of the contract in which the answer is written.', {
    enum: [...API_VERSIONS],
  }),
  'X-Request-Id': header('Name of this request in the service’s log.', { format: 'uuid' }),
  Location: header('Where the new order, or what else was made, is read.', {
    format: 'uri-reference',
  }),
  'Idempotent-Replayed': header('There when an earlier request was answered so.', {
    const: 'true',
  }),
  'RateLimit-Policy': header(
    'The limit: `q` requests at once, refilled within `w` seconds. A large body or answer counts as several.',
  ),
  RateLimit: header('What is left after this answer: `r` requests; full again in `t` seconds.'),
  'Retry-After': header('Seconds to wait before the next try.', { pattern: '^[0-9]+$' }),
  'WWW-Authenticate': header('How to sign in.'),
  Deprecation: header('Since when the operation is deprecated, as `@` and Unix time (RFC 9745).'),
  Sunset: header('Until when the operation answers at least (RFC 8594).'),
  Link: header('The changelog (`deprecation`) and the operation to use (`successor-version`).'),
} as const satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof HEADERS;

export const headerRefs = (names: readonly HeaderName[]): Record<string, ReferenceObject> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
