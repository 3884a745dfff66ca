const JSON_TYPES = ['application/json', 'application/problem+json'] as const;

interface MediaRange {
  readonly range: string;
  readonly weight: number;
}

/** Invalid media ranges are ignored. */
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

/** Ranges that contain a type, the most specific first. */
const around = (type: string): string[] => [type, `${type.split('/')[0]}/*`, '*/*'];

/**
 * Content negotiation (RFC 9110, section 12.5.1). The order of `types` decides between equal preferences. Undefined if
 * the client accepts none.
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

/** Common values that accept JSON, checked without parsing. */
const ORDINARY: ReadonlySet<string | undefined> = new Set([undefined, '*/*', 'application/json']);

/** Whether an `Accept` header accepts JSON or another type of the route. */
export const accepts = (header: string | undefined, others: readonly string[] = []): boolean =>
  ORDINARY.has(header) || preferred(header, [...JSON_TYPES, ...others]) !== undefined;
