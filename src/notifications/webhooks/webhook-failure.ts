/** Reasons of failed attempts for the merchant, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection before its answer was complete.',
  EPIPE: 'The receiver closed the connection before its answer was complete.',
  EHOSTUNREACH: 'The receiver cannot be reached from here.',
  ENETUNREACH: 'The receiver cannot be reached from here.',
  ETIMEDOUT: 'The receiver did not accept the connection in time.',
  CERT_HAS_EXPIRED: 'The receiver’s certificate has expired.',
  CERT_NOT_YET_VALID: 'The receiver’s certificate is not valid yet.',
  CERT_REVOKED: 'The receiver’s certificate was revoked.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The receiver’s certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'The receiver’s certificate comes from an authority that is not trusted.',
  UNABLE_TO_GET_ISSUER_CERT: 'The receiver’s certificate chain is incomplete.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The receiver’s certificate chain is incomplete or not trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The receiver’s certificate chain is incomplete or not trusted.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The receiver’s certificate is for another name.',
  HPE_ENDLESS: 'The receiver kept announcing an answer that did not come.',
  HPE_HEADER_OVERFLOW: 'The answer has too many headers.',
};

const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^HPE_/, 'The answer is not valid HTTP.'],
  [/^(ERR_SSL|ERR_TLS|EPROTO|CERT_)/, 'No secure connection could be made (TLS).'],
];

interface Fault {
  readonly code?: string;
  /** Errors per address, if there were several. */
  readonly errors?: readonly Fault[];
}

/** @param error error of Node's HTTP client */
export function failureReason(error: unknown): string {
  const fault = error as Fault;
  const code = fault.code ?? fault.errors?.[0]?.code ?? '';
  const family = FAMILIES.find(([pattern]) => pattern.test(code));
  return REASONS[code] ?? family?.[1] ?? 'The connection to the receiver failed.';
}

/** Reason for an unsuccessful status. */
export function refusalReason(statusCode: number): string {
  if (statusCode >= 300 && statusCode < 400) {
    return `The receiver answered ${statusCode}; redirects are not followed.`;
  }
  if (statusCode === 410) return 'The receiver answered 410: it wants no more events.';
  return `The receiver answered ${statusCode}; only 2xx is a success.`;
}
