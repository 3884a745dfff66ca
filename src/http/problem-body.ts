import { ERRORS } from './errors.js';
import { type Problem } from './problem.js';

/** RFC 9457 problem details, as bytes. `url` loses its query, which is not ours to repeat. */
export function problemBody(
  problem: Problem,
  publicUrl: string,
  requestId: string,
  url: string,
): string {
  const { title, status, retryable } = ERRORS[problem.code];
  return JSON.stringify({
    type: `${publicUrl}/errors/${problem.code}`,
    title,
    status,
    detail: problem.detail,
    instance: url.split('?')[0],
    code: problem.code,
    requestId,
    ...problem.members,
    ...(problem.errors ? { errors: problem.errors } : {}),
    retryable,
  });
}
