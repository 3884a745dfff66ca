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

/** Merchants and the keys of their programs. Its guard stands before every route of the service. */
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
  ],
  exports: [
    ApiKeysService,
    DeprecatedCallsService,
    FailedAttempts,
    LiveSafety,
    MerchantsService,
    RateLimiter,
  ],
})
export class MerchantsModule {}
