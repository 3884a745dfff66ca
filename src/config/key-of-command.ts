/** The API key for a command that calls the service; empty for none. Arguments would show it to the whole machine. */
export const keyOfCommand = (): string => process.env['API_KEY'] ?? '';
