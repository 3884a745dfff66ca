/** The process that asks: beside the servers that it measures, so that its work is not counted as theirs. */
import { type Plan, rush } from './rush.js';

process.on('message', (plan: Plan) => {
  rush(plan).then(
    (result) => process.send!(result),
    (error: unknown) => process.send!({ failed: String(error) }),
  );
});
// The parent process has ended: requests under way would keep this process alive.
process.on('disconnect', () => process.exit());
