const JSON_TYPES = ['application/json', 'application/problem+json'] as const;

interface MediaRange {
  readonly range: string;
  readonly weight: number;
}

/** What is no media range at all counts as silence. */
const rangesIn = (header = ''): MediaRange[] =>
  header
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim().toLowerCase()))
    .filter(([range]) => /^[\w*.+-]+\/[\w*.+-]+$/.test(range ?? ''))
    .map(([range, ...rest]) => ({ range: range!, weight: weightIn(rest) }));

function weightIn(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return text === undefined || !/^[01](\.\d{0,3})?$/.test(text) ? 1 : Number(text);
}

/** The ranges that a type is in, the closest first. */
const around = (type: string): string[] => [type, `${type.split('/')[0]}/*`, '*/*'];

/**
 * What a client would rather have (RFC 9110, section 12.5.1), of types that stand in the server's own
 * order: that counts where the client names several alike. Undefined when it takes none of them.
 */
export function preferred<Type extends string>(
  header: string | undefined,
  types: readonly Type[],
): Type | undefined {
  const ranges = rangesIn(header);
  if (ranges.length === 0) return types[0];
  const rated = types.map((type) => {
    const known = around(type);
    const closeness = known.findIndex((each) => ranges.some(({ range }) => range === each));
    const weight = ranges.find(({ range }) => range === known[closeness])?.weight ?? 0;
    return { type, weight, closeness };
  });
  const [best] = rated.toSorted((a, b) => b.weight - a.weight || a.closeness - b.closeness);
  return best!.weight > 0 ? best!.type : undefined;
}

/** What most clients send leaves room for JSON, and need not be read for each request. */
const ORDINARY: ReadonlySet<string | undefined> = new Set([undefined, '*/*', 'application/json']);

/** Whether an `Accept` header leaves room for JSON, or for what else the route answers. */
export const accepts = (header: string | undefined, others: readonly string[] = []): boolean =>
  ORDINARY.has(header) || preferred(header, [...JSON_TYPES, ...others]) !== undefined;
