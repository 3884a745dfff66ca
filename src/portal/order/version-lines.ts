/** An order as an answer has it. */
export type Body = Readonly<Record<string, unknown>>;

/** One line of an order's JSON. */
export interface JsonLine {
  readonly text: string;
  /** Whether the version before does not have this line. */
  readonly isNew: boolean;
}

interface Line {
  readonly text: string;
  readonly path: string;
}

const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const stepInto = (path: string, name: string): string => `${path}/${name.replaceAll('/', '~1')}`;

/** As `JSON.stringify(value, null, 2)` writes it, each line with the path of its member. */
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

/** The body's lines; those of members that the older body lacks are new. */
export function markedLines(body: Body, older: Body | null): JsonLine[] {
  const known = older && new Set(linesOf(older).map(({ path }) => path));
  return linesOf(body).map(({ text, path }) => ({
    text,
    isNew: known !== null && !known.has(path),
  }));
}

/** Members that the newer body has and this one lacks, such as `payment.payerAccountName`. */
export function lackingMembers(body: Body, newer: Body): string[] {
  return Object.entries(newer).flatMap(([name, member]) => {
    if (!Object.hasOwn(body, name)) return [name];
    const own = body[name];
    if (!isBody(member) || !isBody(own)) return [];
    return lackingMembers(own, member).map((inner) => `${name}.${inner}`);
  });
}
