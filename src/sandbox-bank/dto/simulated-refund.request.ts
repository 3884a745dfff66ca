import { OneOf, RequestBody } from '../../contract/fields.js';
import {
  SANDBOX_REFUND_OUTCOMES,
  type SandboxRefundOutcome,
} from '../../database/sandbox-bank/sandbox-refund.entity.js';

@RequestBody('SimulatedRefund', 'What the sandbox bank answers about a refund.')
export class SimulatedRefundRequest {
  @OneOf(
    SANDBOX_REFUND_OUTCOMES,
    '`succeeded`; `failed`; `returned`: it succeeds, and the payer’s bank returns it; `silent`: the bank does not answer until you send another outcome.',
  )
  outcome: SandboxRefundOutcome;
}
