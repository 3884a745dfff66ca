/** API key for commands that call the service; empty if not set. Every user of the machine could read arguments. */
export const keyOfCommand = (): string => process.env['API_KEY'] ?? '';
