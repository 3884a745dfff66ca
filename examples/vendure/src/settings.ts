/** A setting of the environment. */
export function setting(name: string, otherwise?: string): string {
  const value = process.env[name] ?? otherwise;
  if (value) return value;
  console.error(`${name} is missing: README.md says what it is.`);
  process.exit(1);
}
