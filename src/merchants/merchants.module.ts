import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysService } from './api-keys.service.js';
import { DeprecatedCallsService } from './deprecated-calls.service.js';
import { FailedAttempts } from './failed-attempts.js';
import { LiveSafety } from './live-safety.js';
import { MerchantsService } from './merchants.service.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RateLimiter } from './rate-limiter.js';
import { WrittenRows } from './written-rows.js';

/** Merchants, API keys and rate limits. Its guard is global. */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    ApiKeysService,
    DeprecatedCallsService,
    FailedAttempts,
    LiveSafety,
    MerchantsService,
    RateLimiter,
    WrittenRows,
  ],
  exports: [
    ApiKeysService,
    DeprecatedCallsService,
    FailedAttempts,
    LiveSafety,
    MerchantsService,
    RateLimiter,
    WrittenRows,
  ],
})
export class MerchantsModule {}
