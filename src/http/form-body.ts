import type { FastifyRequest } from 'fastify';
import { Problem } from './problems/problem.js';

/** Maximum fields of a form: the largest of the service has about 130. */
export const FORM_FIELDS_MAX = 500;

const AMPERSAND = 0x26;

/** A submitted form. It is decoded on first use, which costs milliseconds, so that rate limits come first. */
export class FormBody {
  private decoded: URLSearchParams | undefined;

  constructor(private readonly bytes: Buffer) {}

  /** @throws Problem body_too_large */
  get fields(): URLSearchParams {
    return (this.decoded ??= decode(this.bytes));
  }
}

/** The fields of the submitted form; empty for other bodies. @throws Problem body_too_large */
export function formOf({ body }: FastifyRequest): URLSearchParams {
  if (body instanceof FormBody) return body.fields;
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

function decode(bytes: Buffer): URLSearchParams {
  if (hasTooManyFields(bytes))
    throw new Problem('body_too_large', {
      detail: `The form has more than ${FORM_FIELDS_MAX} fields.`,
    });
  return new URLSearchParams(bytes.toString());
}

/** Counts without decoding: each field with invalid UTF-8 costs an exception. */
function hasTooManyFields(bytes: Buffer): boolean {
  let count = 1;
  for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1))
    if (++count > FORM_FIELDS_MAX) return true;
  return false;
}
