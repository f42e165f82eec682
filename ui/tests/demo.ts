/** The journeys of `clew demo`: at the clew that CLEW_URL names, or at one that is started from the binary. */

import { join } from 'node:path';
import { BINARY, RealClew, until } from './real';

export const HAS_DEMO = Boolean(process.env.CLEW_URL || BINARY);

/** The demo plays two minutes of a cluster's life; at this speed it is over in seconds. */
const FAST = '40';

export class Demo {
  private readonly clew = new RealClew();

  constructor(
    private readonly speed = FAST,
    private readonly journeys = 10,
  ) {}

  get url(): string {
    return this.clew.url;
  }

  /** Where clew itself is, whoever serves the page. */
  get behind(): string {
    return this.clew.behind;
  }

  async start(): Promise<void> {
    if (process.env.CLEW_URL) {
      this.clew.url = process.env.CLEW_URL;
      await this.clew.bringPage();
    } else await this.clew.start(['demo', '--speed', this.speed, '--data', join(this.clew.folder, 'data')]);
    await until(`${this.url}/api/v1/journeys?limit=50`, async (response) => {
      const { journeys } = (await response.json()) as { journeys: { state: string }[] };
      return journeys.length >= this.journeys && journeys.some(({ state }) => state === 'converged');
    });
  }

  async stop(): Promise<void> {
    await this.clew.stop();
  }
}
