/** Bytes of an answer that are kept: what a server writes into its first lines. */
const ANSWER_MAX = 500;

export interface SmtpError extends Error {
  /** Of nodemailer: `EAUTH`, `ETIMEDOUT` and so on. */
  readonly code?: string;
  /** What the server answered with, such as 550. */
  readonly responseCode?: number;
  readonly response?: string;
}

/** What came of one attempt to send. */
export interface MailOutcome {
  readonly succeeded: boolean;
  /** No further attempt can change it. */
  readonly final: boolean;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** What the server answered. */
  readonly response: string | null;
}

/** Numbers and words of the answer that a merchant can look up, without control characters. */
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

/** What the server says about the mail or its addresses, and not about the connection or us. */
const ABOUT_THE_MAIL: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);

/**
 * 5xx is the server's last word on a mail (RFC 5321, section 4.2.1); everything else may go away.
 * Where it refuses our sign-in or our encryption, the settings are wrong and not the mail.
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
