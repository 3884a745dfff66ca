const OURS = new Set(['application/json', 'application/problem+json', 'application/*', '*/*']);

/** Whether an `Accept` header leaves room for JSON. What is no media range at all counts as silence. */
export function accepts(header: string | undefined): boolean {
  const ranges = (header ?? '')
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim().toLowerCase()))
    .filter(([range]) => /^[\w*.+-]+\/[\w*.+-]+$/.test(range ?? ''));
  const refused = (parameters: readonly string[]) => parameters.some((p) => /^q=0(\.0*)?$/.test(p));
  return (
    ranges.length === 0 || ranges.some(([range, ...rest]) => OURS.has(range!) && !refused(rest))
  );
}
