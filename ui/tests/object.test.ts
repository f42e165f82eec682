import { describe, expect, it } from 'vitest';
import { axeFindings } from './axe';
import { stage } from './setup';

const on = stage(120);

describe('an object', () => {
  it('tells who changed what and when, newest first, and complains of nothing', async () => {
    const { page, complaints } = await on.visit('/objects?kind=Deployment&name=web', '.history');
    const history = await page.locator('.history > li').allInnerTexts();
    expect(history).toHaveLength(12);
    expect(history[0]).toMatch(/by \S+ with kubectl/);
    expect(history.some((text) => text.includes('Conflict: the object has been modified'))).toBe(true);
    expect(await page.locator('.diff-after').first().innerText()).toContain('12');
    expect(await page.locator('.conditions').innerText()).toContain('MinimumReplicasAvailable');
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('leads to the journey of a change', async () => {
    const { page } = await on.visit('/objects?kind=Deployment&name=web', '.history');
    await page.locator('.history a').first().click();
    await page.waitForSelector('.verdict');
  });

  it('that nobody knows is said to be none', async () => {
    await on.visit('/objects?uid=nobody', 'text=There is no such object');
  });

  it('is asked for when none is named', async () => {
    await on.visit('/objects', 'text=Which object?');
  });
});
