import { error, type ErrorDefinition } from './error-definition.js';
import { ORDER_ERRORS } from './order-errors.js';
import { PAYOUT_ERRORS } from './payout-errors.js';
import { REFUND_ERRORS } from './refund-errors.js';

export type { ErrorDefinition };

/** All errors of the API: answers, pages and OpenAPI are generated from them. */
export const ERRORS = {
  malformed_request: error(
    400,
    'The request is not valid HTTP',
    'The request line, a header or the framing of the body could not be read.',
    'Send the request with an ordinary HTTP client; check proxies on the way.',
  ),
  malformed_json: error(
    400,
    'The body is not valid JSON',
    'The body is empty, not UTF-8, not JSON, nested deeper than 32 levels, has more than 200 members and entries, or names a member twice.',
    'Send one JSON object in UTF-8, each member once. The `detail` says what was found.',
  ),
  selector_required: error(
    400,
    'A selector is required',
    'The operation looks up one order and was told no identifier.',
    'Send exactly one of the two query parameters that the operation names.',
  ),
  selector_ambiguous: error(
    400,
    'More than one selector was given',
    'Both query parameters were sent, or one of them more than once.',
    'Send exactly one selector, once.',
  ),
  unknown_parameter: error(
    400,
    'The query has an unknown parameter',
    'A query parameter is not part of the operation. Misspelt parameters are refused rather than ignored.',
    'Remove the parameter named in `detail` or correct its spelling.',
  ),
  invalid_parameter: error(
    400,
    'A query parameter is not valid',
    'A query parameter was sent more than once, or with a value that it cannot have.',
    'Correct the parameter named in `detail`, which also says what is expected.',
  ),
  unknown_event: error(
    400,
    'The event to go on from is unknown',
    'No event of this merchant and mode has the id that `after` names.',
    'Pass the `next` of the page before, an id from a webhook, or `latest`.',
  ),
  unknown_api_version: error(
    400,
    'The Api-Version is unknown',
    'The header `Api-Version` names no released version of the contract.',
    'Use one of the versions listed in `supported`, or leave the header out to get the version of your key.',
  ),
  invalid_idempotency_key: error(
    400,
    'The Idempotency-Key is not valid',
    'The header is empty, longer than 255 characters, repeated, or has characters outside printable ASCII.',
    'Send 1–255 printable ASCII characters, bare or in double quotes; a random UUID is a good key.',
  ),
  unauthorized: error(
    401,
    'A valid API key is required',
    'The header `Authorization: Bearer pos_…` is missing, or its key is unknown, expired or revoked.',
    'Check the key, its mode (test or live) and its expiry date.',
  ),
  invalid_signature: error(
    401,
    'The signature is not valid',
    'A provider callback was not signed with the secret of this account, or its timestamp is more than 5 minutes off.',
    'Check the account’s signing secret and the clocks of both machines.',
  ),
  missing_scope: error(
    403,
    'The API key lacks a scope',
    'The key is valid but was not given the scope that this operation needs.',
    'Use a key with the scope named in `missingScope`.',
  ),
  ip_not_allowed: error(
    403,
    'This address may not use the API key',
    'The key has an allow-list of addresses and the request came from another one.',
    'Send the request from an allowed address, or change the key’s allow-list.',
  ),
  test_mode_only: error(
    403,
    'This operation works in test mode only',
    'A test helper was called with a live key.',
    'Call it with a key that begins with `pos_test_`.',
  ),
  order_not_found: error(
    404,
    'The order was not found',
    'No order of this merchant and mode has the identifier. Orders of others look the same as none.',
    'Check the identifier, which in a path is the `txid`, and that a test order is asked for with a test key.',
  ),
  webhook_endpoint_not_found: error(
    404,
    'The webhook endpoint was not found',
    'No webhook endpoint of this merchant and mode has the identifier, or it was deleted.',
    'Check the identifier, and that an endpoint for test orders is asked for with a test key.',
  ),
  delivery_not_found: error(
    404,
    'The delivery was not found',
    'The endpoint has no delivery with the identifier, or it is older than 60 days.',
    'Check the identifier; the list of deliveries has those that are kept.',
  ),
  recipient_not_found: error(
    404,
    'The recipient was not found',
    'No recipient of this merchant and mode has the id, or it was deleted.',
    'Check the id, and that a recipient in test mode is asked for with a test key.',
  ),
  route_not_found: error(
    404,
    'There is nothing at this address',
    'The path is not part of the interface.',
    'Compare the path with the reference at /docs.',
  ),
  error_not_found: error(
    404,
    'There is no error of this name',
    'The page of an error was asked for whose code does not exist.',
    'See the list at /errors.',
  ),
  not_in_this_version: error(
    404,
    'The operation is not part of this version',
    'The request selected a version of the contract in which the operation did not exist yet.',
    'Select the version named in `since`, or a later one, with the header `Api-Version`.',
  ),
  method_not_allowed: error(
    405,
    'The method is not allowed here',
    'The path exists, but not with this HTTP method.',
    'Use one of the methods in the `Allow` header.',
  ),
  not_acceptable: error(
    406,
    'The answer is not available in the asked format',
    'The `Accept` header excludes `application/json`.',
    'Send `Accept: application/json`, or leave the header out.',
  ),
  request_timeout: error(
    408,
    'The request took too long to arrive',
    'Headers or body were not complete within 10 seconds.',
    'Send the whole request at once; try again.',
    true,
  ),
  ...ORDER_ERRORS,
  payment_in_progress: error(
    409,
    'A payment is already in progress',
    'An order has one live attempt at a time, and one is under way.',
    'Wait for its outcome; the order’s status tells.',
    true,
  ),
  too_many_webhook_endpoints: error(
    409,
    'There are too many webhook endpoints',
    'A merchant can have 10 webhook endpoints in each mode.',
    'Delete one that is not needed, or let one endpoint receive more types of events.',
  ),
  too_many_api_keys: error(
    409,
    'There are too many API keys',
    'A merchant has at most 100 keys in each mode that programs can use.',
    'Revoke one that is not needed. A key that is rolled without an overlap takes the place of the old one.',
  ),
  too_many_recipients: error(
    409,
    'There are too many recipients',
    'A merchant has at most 20 recipients in each mode.',
    'Delete one, or use a mailing list of your own as a recipient.',
  ),
  recipient_unsubscribed: error(
    409,
    'The recipient has unsubscribed',
    'Mails go only to mailboxes whose owner agrees, and this one does not any more.',
    'Its owner can agree again with the link in any earlier mail; else the operator lets it be asked.',
  ),
  ...PAYOUT_ERRORS,
  ...REFUND_ERRORS,
  body_too_large: error(
    413,
    'The body is too large',
    'The body is over 64 kB.',
    'Shorten the description and the optional fields.',
  ),
  uri_too_long: error(
    414,
    'The address is too long',
    'An identifier in the path is over 512 characters.',
    'Check how the address is built.',
  ),
  unsupported_media_type: error(
    415,
    'The body has an unsupported type',
    'Bodies are `application/json` in UTF-8, without compression.',
    'Send `Content-Type: application/json` and no `Content-Encoding`.',
  ),
  validation_failed: error(
    422,
    'Some fields are not valid',
    'The body is JSON, but at least one field is missing, unknown or out of range.',
    'Correct every field listed in `errors`; at most 20 are listed at once.',
  ),
  idempotency_key_reused: error(
    422,
    'The Idempotency-Key was used for another request',
    'The key is remembered together with a request that had other content.',
    'Use a new key for each new request, and the same key only for an exact repeat.',
  ),
  no_payment_method: error(
    422,
    'The merchant has no payment method in this mode',
    'A live order needs at least one enabled live provider.',
    'Enable a provider, or use a test key.',
  ),
  rate_limited: error(
    429,
    'Too many requests',
    'The key, or the address on the payment page, used up its requests for the moment.',
    'Wait for the seconds in `Retry-After`; spread requests evenly.',
    true,
  ),
  headers_too_large: error(
    431,
    'The headers are too large',
    'The address and all headers together are over 16 kB.',
    'Shorten the query, or send fewer or smaller headers.',
  ),
  internal_error: error(
    500,
    'The service made a mistake',
    'Something happened that should not; it was logged under the `requestId`.',
    'Repeat the request with the same Idempotency-Key; tell the operator the `requestId`.',
    true,
  ),
  unavailable: error(
    503,
    'The service cannot answer right now',
    'The database is away or busy, or the process is about to stop.',
    'Repeat the request after the seconds in `Retry-After`, with the same Idempotency-Key.',
    true,
  ),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);
