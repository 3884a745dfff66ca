/** JSON body of an order. */
export type Body = Readonly<Record<string, unknown>>;

export interface JsonLine {
  readonly text: string;
  /** Whether the previous version lacks this line. */
  readonly isNew: boolean;
}

interface Line {
  readonly text: string;
  readonly path: string;
}

const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const stepInto = (path: string, name: string): string => `${path}/${name.replaceAll('/', '~1')}`;

/** Lines of `JSON.stringify(value, null, 2)`, each with the path of its member. */
function linesOf(value: unknown, path = '', indent = '', label = '', end = ''): Line[] {
  const isList = Array.isArray(value);
  const members = isList || isBody(value) ? Object.entries(value) : [];
  if (members.length === 0) {
    return [{ text: `${indent}${label}${JSON.stringify(value)}${end}`, path }];
  }
  const [opens, closes] = isList ? '[]' : '{}';
  return [
    { text: `${indent}${label}${opens}`, path },
    ...members.flatMap(([name, member], i) =>
      linesOf(
        member,
        stepInto(path, name),
        `${indent}  `,
        isList ? '' : `${JSON.stringify(name)}: `,
        i < members.length - 1 ? ',' : '',
      ),
    ),
    { text: `${indent}${closes}${end}`, path },
  ];
}

/** Lines of the body; members that the older body lacks are marked as new. */
export function markedLines(body: Body, older: Body | null): JsonLine[] {
  const known = older && new Set(linesOf(older).map(({ path }) => path));
  return linesOf(body).map(({ text, path }) => ({
    text,
    isNew: known !== null && !known.has(path),
  }));
}

/** Members missing compared to the newer body, such as `payment.payerAccountName`. */
export function lackingMembers(body: Body, newer: Body): string[] {
  return Object.entries(newer).flatMap(([name, member]) => {
    if (!Object.hasOwn(body, name)) return [name];
    const own = body[name];
    if (!isBody(member) || !isBody(own)) return [];
    return lackingMembers(own, member).map((inner) => `${name}.${inner}`);
  });
}
