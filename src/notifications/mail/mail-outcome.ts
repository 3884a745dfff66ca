/** Stored bytes of a server's answer. */
const ANSWER_MAX = 500;

export interface SmtpError extends Error {
  /** Error code of nodemailer: `EAUTH`, `ETIMEDOUT` and so on. */
  readonly code?: string;
  /** SMTP status, such as 550. */
  readonly responseCode?: number;
  readonly response?: string;
}

/** Result of a sending attempt. */
export interface MailOutcome {
  readonly succeeded: boolean;
  /** Retries are pointless. */
  readonly final: boolean;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Answer of the server. */
  readonly response: string | null;
}

/** SMTP status and text for the merchant, without control characters. */
export const answerLine = (response: string): string =>
  response.replace(/\p{Cc}+/gu, ' ').slice(0, ANSWER_MAX);

const WORDS: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server refused the user or the password.',
  ECONNECTION: 'The connection to the mail server ended without an answer.',
  EDNS: 'The mail server was not found.',
  EABORT: 'The mail server did not answer in time.',
  ESOCKET: 'The mail server cannot be reached.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  ETLS: 'The connection to the mail server cannot be encrypted.',
};

export const sent = (response: string | undefined): MailOutcome => ({
  succeeded: true,
  final: true,
  statusCode: Number(/^\d{3}/.exec(response ?? '')?.[0]) || null,
  error: null,
  response: response === undefined ? null : answerLine(response),
});

/** Errors about the mail or its addresses, not about the connection. */
const ABOUT_THE_MAIL: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);

/**
 * 5xx is final (RFC 5321, section 4.2.1); everything else is retried. Rejected authentication or encryption is a
 * configuration error, so the mail is retried, too.
 */
export function refusedMail(error: SmtpError): MailOutcome {
  const { code = '', responseCode, response } = error;
  const isTemporary = responseCode !== undefined && responseCode < 500;
  const words = WORDS[code] ?? 'The mail could not be sent.';
  return {
    succeeded: false,
    final: ABOUT_THE_MAIL.has(code) && !isTemporary,
    statusCode: responseCode || null,
    error: response && ABOUT_THE_MAIL.has(code) ? answerLine(response) : words,
    response: response ? answerLine(response) : null,
  };
}
