/** One request as a file of Bruno's own form. */

const indented = (text) => text.replaceAll(/^(?=.)/gm, '  ');
const block = (name, text) => (text === '' ? [] : [`${name} {\n${indented(text)}\n}\n`]);
const pairs = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Examples stand for themselves, but for what can be there only once. */
function bodyOf(operation, { body, example: name }) {
  const content = operation.requestBody?.content['application/json'];
  if (!content) return undefined;
  const { examples = {} } = content;
  const example = name === undefined ? Object.values(examples)[0] : examples[name];
  return { ...example?.value, ...body };
}

/** Each path names what was made last, unless the story knows it by name. */
const filled = (path, { path: known = {} }) =>
  path.replaceAll(
    /\{(\w+)\}/g,
    (_, name) => known[name] ?? (name === 'txid' ? '{{txid}}' : 'newest'),
  );

/**
 * @param request an operation and what the story says of it: what is `given` (`query`, `path`, `body`, the name of an `example`),
 *   what later requests `keep` of the answer, a script that runs `before`, and the statuses to `expect`
 */
export function bruno({
  name,
  seq,
  path: template,
  method,
  operation,
  given = {},
  keep = {},
  before = '',
  expect,
}) {
  const body = bodyOf(operation, given);
  const query = given.query ?? {};
  const search = new URLSearchParams(query).toString().replaceAll(/%7B%7B(\w+)%7D%7D/g, '{{$1}}');
  const isKeyed = (operation.parameters ?? []).some(({ $ref }) => $ref?.endsWith('IdempotencyKey'));
  const good = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
  const request = {
    url: `{{base}}${filled(template, given)}${search && `?${search}`}`,
    body: body ? 'json' : 'none',
    auth: 'inherit',
  };
  return [
    ...block('meta', pairs({ name, type: 'http', seq })),
    ...block(method, pairs(request)),
    ...block('params:query', pairs(query)),
    ...block('headers', isKeyed ? 'Idempotency-Key: {{$guid}}' : ''),
    ...block('body:json', body ? JSON.stringify(body, null, 2) : ''),
    ...block('vars:post-response', pairs(keep)),
    ...block('assert', `res.status: in ${(expect ?? good).join(', ')}`),
    ...block('script:pre-request', before),
    ...block('docs', operation.description ?? ''),
  ].join('\n');
}
