import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Operation } from '../http/operation.decorator.js';
import { type Caller, CurrentCaller, NeedsScope } from '../merchants/api-key.guard.js';
import { type EventQuery, ReadEventQuery } from './dto/event-query.js';
import { EventPageResponse } from '../contract/event.response.js';
import { EventsService } from './events.service.js';

@ApiTags('events')
@Controller({ path: 'event', version: ['1', VERSION_NEUTRAL] })
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @NeedsScope('events:read')
  @Operation({
    id: 'listEvents',
    summary: 'Read events',
    description:
      'The feed has every event of your orders and payouts once, in an order that never changes; ' +
      'those of one order or payout follow its `sequence`. Keep `next`, and pass it as `after` to ' +
      'go on from there: nothing is skipped and nothing comes twice. Ask again at once while `hasMore` is true, ' +
      'else some seconds later. With `type` or `from`, a page can be empty although `hasMore` is true. If you ' +
      'lost your position, start with `from`; use `txid` for the events of an order.\n\n' +
      'Events contain the order or payout as it was right after them; orders in the version of ' +
      'the contract that the request selects. Who paid is known from the end of the payment on.',
  })
  @ApiOkResponse({ type: EventPageResponse, description: 'Events, oldest first.' })
  list(
    @CurrentCaller() caller: Caller,
    @ReadEventQuery() query: EventQuery,
  ): Promise<EventPageResponse> {
    return this.events.read(caller, query);
  }
}
