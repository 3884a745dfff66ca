import type { ReferenceObject, ResponseObject } from '@nestjs/swagger';
import { type ErrorCode, ERRORS } from '../../common/errors.js';
import type { OperationFacts, SharedParameter } from '../../common/operation.decorator.js';
import { type HeaderName, headerRefs } from './parameters.js';
import { schemaRef } from './schema-parts.js';

/** What every operation can answer. */
const EVERYWHERE: readonly ErrorCode[] = [
  'malformed_request',
  'unknown_parameter',
  'unknown_api_version',
  'unauthorized',
  'missing_scope',
  'ip_not_allowed',
  'not_acceptable',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
];
const WITH_KEY: readonly ErrorCode[] = ['invalid_idempotency_key'];
const WITH_BODY: readonly ErrorCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
];

/** Statuses of requests that never reached the service's own code. */
const UNREAD = new Set([408, 431]);
/** Statuses that come after the key was found good, so that limits are known. */
const SIGNED_IN = new Set([200, 201, 202, 204, 400, 403, 404, 409, 415, 422, 429, 500, 503]);
const CONFLICT = 409;

/** Parameters that stand in the path, and what their operations answer when they name nothing. */
const NOT_FOUND: Readonly<Partial<Record<SharedParameter, ErrorCode>>> = {
  DeliveryIdOrNewest: 'delivery_not_found',
  EndpointId: 'webhook_endpoint_not_found',
  EndpointIdOrNewest: 'webhook_endpoint_not_found',
  PayoutIdOrNewest: 'payout_not_found',
  RecipientId: 'recipient_not_found',
  RecipientIdOrNewest: 'recipient_not_found',
  Txid: 'order_not_found',
  TxidOrNewest: 'order_not_found',
};

/** Every error code that an operation can answer, in the order of the errors table. */
export function errorsOf(facts: OperationFacts, hasBody: boolean): ErrorCode[] {
  const notFound = facts.takes.flatMap((name) => NOT_FOUND[name] ?? []);
  const possible = new Set<ErrorCode>([
    ...EVERYWHERE,
    ...notFound,
    ...(notFound.length > 0 ? (['uri_too_long'] as const) : []),
    ...(facts.takes.includes('IdempotencyKey') ? WITH_KEY : []),
    ...(hasBody ? WITH_BODY : []),
    ...facts.errors,
  ]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => possible.has(code));
}

function headersOf(status: number, facts: OperationFacts): Record<string, ReferenceObject> {
  const isSuccess = status < 300;
  const names: HeaderName[] = ['X-Request-Id'];
  if (!UNREAD.has(status)) names.push('Api-Version');
  if (SIGNED_IN.has(status)) names.push('RateLimit-Policy', 'RateLimit');
  if (SIGNED_IN.has(status) && facts.deprecated) names.push('Deprecation', 'Sunset', 'Link');
  if (status === 201) names.push('Location');
  if (facts.takes.includes('IdempotencyKey') && (isSuccess || status === CONFLICT)) {
    names.push('Idempotent-Replayed');
  }
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  return headerRefs(names);
}

const problemResponse = (
  status: number,
  codes: readonly ErrorCode[],
  facts: OperationFacts,
): ResponseObject => ({
  description: codes
    .map((code) => `[\`${code}\`](/errors/${code}): ${ERRORS[code].title}.`)
    .join('\n\n'),
  headers: headersOf(status, facts),
  content: { 'application/problem+json': { schema: schemaRef('Problem') } },
});

/** Every answer of an operation by its status. */
export function responsesOf(
  facts: OperationFacts,
  hasBody: boolean,
): Record<string, ResponseObject> {
  const successes = Object.entries(facts.answers).map(([status, description]) => [
    status,
    {
      description,
      headers: headersOf(Number(status), facts),
      ...(facts.gives && { content: { 'application/json': { schema: schemaRef(facts.gives) } } }),
    },
  ]);
  const byStatus = Map.groupBy(errorsOf(facts, hasBody), (code) => ERRORS[code].status);
  const problems = [...byStatus].map(([status, codes]) => [
    status,
    problemResponse(status, codes, facts),
  ]);
  return Object.fromEntries([...successes, ...problems]) as Record<string, ResponseObject>;
}
