import { type ApiVersion, isBefore } from '../../common/api-version.js';
import { Problem } from '../../http/problems/problem.js';

/** @throws Problem `not_in_this_version` for an operation that came later */
export function assertSince(since: ApiVersion, asked: ApiVersion): void {
  if (!isBefore(asked, since)) return;
  throw new Problem('not_in_this_version', {
    detail: `This operation came with version ${since}; version ${asked} was selected.`,
    members: { since },
  });
}
