import {
  getSchemaPath,
  type OperationObject,
  type ReferenceObject,
  type ResponseObject,
} from '@nestjs/swagger';
import { ProblemResponse } from '../../contract/problem.response.js';
import { type ErrorCode, ERRORS } from '../../http/problems/errors.js';
import type { OperationFacts } from '../../http/operation.decorator.js';
import { CAN_ANSWER, type DescribedParameter, IDEMPOTENCY_KEY } from '../../http/parameters.js';
import { type HeaderName, headerRefs } from './parameters.js';

type Parameters = readonly DescribedParameter[];

/** Errors of every operation. */
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
const WITH_PATH: readonly ErrorCode[] = ['uri_too_long'];
const WITH_BODY: readonly ErrorCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
];

/** Statuses of requests that never reached the service's own code. */
const UNREAD = new Set([408, 431]);
/** Statuses after a valid key, when rate limits are known. */
const SIGNED_IN = new Set([200, 201, 202, 204, 400, 403, 404, 409, 415, 422, 429, 500, 503]);
const CONFLICT = 409;

/** All error codes of an operation, in the order of the errors table. */
function errorsOf(facts: OperationFacts, parameters: Parameters, hasBody: boolean): ErrorCode[] {
  const possible = new Set<ErrorCode>([
    ...EVERYWHERE,
    ...parameters.flatMap((parameter) => parameter[CAN_ANSWER]),
    ...(parameters.some((parameter) => parameter.in === 'path') ? WITH_PATH : []),
    ...(hasBody ? WITH_BODY : []),
    ...(facts.errors ?? []),
  ]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => possible.has(code));
}

function headersOf(
  status: number,
  isDeprecated: boolean,
  parameters: Parameters,
  makes: boolean,
): Record<string, ReferenceObject> {
  const isSuccess = status < 300;
  const names: HeaderName[] = ['X-Request-Id'];
  if (!UNREAD.has(status)) names.push('Api-Version');
  if (SIGNED_IN.has(status)) names.push('RateLimit-Policy', 'RateLimit');
  if (SIGNED_IN.has(status) && isDeprecated) names.push('Deprecation', 'Sunset', 'Link');
  if (makes && isSuccess) names.push('Location');
  const takesKey = parameters.some(({ name }) => name === IDEMPOTENCY_KEY);
  if (takesKey && (isSuccess || status === CONFLICT)) {
    names.push('Idempotent-Replayed');
  }
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  return headerRefs(names);
}

const problemResponse = (
  codes: readonly ErrorCode[],
  headers: Record<string, ReferenceObject>,
): ResponseObject => ({
  description: codes
    .map((code) => `[\`${code}\`](/errors/${code}): ${ERRORS[code].title}.`)
    .join('\n\n'),
  headers,
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemResponse) } } },
});

/** All responses of an operation by status: successes with their headers, and problems. */
export function responsesOf(
  { responses, requestBody, deprecated = false }: OperationObject,
  facts: OperationFacts,
  parameters: Parameters,
): Record<string, ResponseObject> {
  // An operation that answers 201 first also sends `Location` for a repeat.
  const makes = responses?.[201] !== undefined;
  const headers = (status: number) => headersOf(status, deprecated, parameters, makes);
  const successes = Object.entries(responses as Record<string, ResponseObject>).map(
    ([status, success]) => [status, { ...success, headers: headers(Number(status)) }],
  );
  const errors = errorsOf(facts, parameters, requestBody !== undefined);
  const problems = [...Map.groupBy(errors, (code) => ERRORS[code].status)].map(
    ([status, codes]) => [status, problemResponse(codes, headers(status))],
  );
  return Object.fromEntries([...successes, ...problems]) as Record<string, ResponseObject>;
}
