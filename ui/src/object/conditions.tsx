/** What its controllers say of an object. */

import type { Condition } from '../api/types';
import { ScrollTable } from '../ui/scroll-table';
import { Moment } from '../ui/time';

interface Props {
  conditions: Condition[];
  deleted: boolean;
}

export function Conditions({ conditions, deleted }: Props) {
  return (
    <section class="card conditions" aria-labelledby="conditions-title">
      <h2 id="conditions-title">{deleted ? 'Conditions before it went' : 'Conditions now'}</h2>
      <ScrollTable label="Conditions">
        <table>
          <thead>
            <tr>
              <th>Condition</th>
              <th>Status</th>
              <th>Since</th>
              <th>Reason</th>
              <th>Message</th>
            </tr>
          </thead>
          <tbody>
            {conditions.map((condition) => (
              <tr key={condition.type}>
                <th scope="row">{condition.type}</th>
                <td>{condition.status}</td>
                <td>{condition.time && <Moment time={condition.time} />}</td>
                <td>{condition.reason}</td>
                <td class="wrap">{condition.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollTable>
    </section>
  );
}
